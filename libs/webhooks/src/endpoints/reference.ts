// What the reference of each service says of webhooks beyond their schemas.
export const webhookReference = {
  pathErrors: { '{webhook_id}': ['webhook_not_found'] },
  operationErrors: {
    'POST /webhooks': ['too_many_webhooks'],
    'POST /webhooks/{webhook_id}/reveal': ['password_wrong', 'rate_limited'],
    'POST /webhooks/{webhook_id}/test': ['rate_limited'],
    'POST /webhooks/{webhook_id}/replay': ['webhook_event_not_found', 'webhook_queue_full'],
    'GET /webhooks/{webhook_id}/events/{event_id}': ['webhook_event_not_found'],
  },
} as const;
