// The errors of webhooks, for the error table of each service, and the operations that return each error.
import {
  type ErrorTable,
  errorEntry as refusal,
  type ServiceErrors,
  type TransportErrorCode,
} from '@counterfoil/kit/http/errors';

export const webhookErrors = {
  webhook_not_found: refusal(404, 'There is no such webhook endpoint'),
  webhook_event_not_found: refusal(404, 'There is no such event, or it is no longer kept'),
  too_many_webhooks: refusal(409, 'Delete a webhook endpoint first: there are too many'),
  webhook_queue_full: refusal(409, 'Too many events wait for this endpoint already'),
} as const satisfies ErrorTable;

export type WebhookErrors = ServiceErrors<TransportErrorCode | keyof typeof webhookErrors>;

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
