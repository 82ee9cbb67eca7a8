// The webhooks of a service as its OpenAPI document tells them, for receivers.
import type { TSchema } from 'typebox';
import { completeOperation } from './complete-operation.ts';
import type { Operation } from './document.ts';
import type { Reference } from './reference.ts';
import { showSchema } from './schema-marks.ts';

/** When an event is sent, and what it holds. */
export interface DocumentedEvent {
  readonly description: string;
  readonly data: TSchema;
}

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
});

const signedHeaders = [
  header(
    'webhook-id',
    'One and the same at every attempt: events that came already are known by it.',
  ),
  header('webhook-timestamp', 'When this attempt was made, in Unix seconds.'),
  header(
    'webhook-signature',
    '`v1,<base64>`, one for each secret that is in force, apart by spaces: HMAC-SHA-256 over ' +
      '`<webhook-id>.<webhook-timestamp>.<body>`.',
  ),
];

const presentWebhook = (type: string, { description, data }: DocumentedEvent): Operation => ({
  operationId: `webhook_${type.replaceAll('.', '_')}`,
  tags: ['Webhooks'],
  summary: `Receive ${type}`,
  description,
  security: [],
  parameters: signedHeaders,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp', 'data'],
          properties: {
            type: { type: 'string', enum: [type], description: 'What happened.' },
            timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
            data: { ...showSchema(data), description: 'What it is about.' },
          },
        },
      },
    },
  },
});

const answers = {
  '200': { description: 'Delivered; any status of 200 to 299 says so.' },
  '410': { description: 'The endpoint is gone: it is disabled at once.' },
};

export const presentWebhooks = (
  events: Readonly<Record<string, DocumentedEvent>>,
  reference: Reference,
): Record<string, { post: Operation }> =>
  Object.fromEntries(
    Object.entries(events).map(([type, event]) => {
      const { responses: _none, ...operation } = completeOperation(
        `POST ${type}`,
        presentWebhook(type, event),
        reference,
      );
      return [type, { post: { ...operation, responses: answers } }];
    }),
  );
