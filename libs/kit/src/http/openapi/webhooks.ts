// The webhooks of a service in its OpenAPI document.
import type { TSchema } from 'typebox';
import { completeOperation } from './complete-operation.ts';
import { mapValues, type Operation } from './document.ts';
import type { Reference } from './reference.ts';
import { showSchema } from './schema-marks.ts';

/** An event: when it is sent, and its data. */
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
    'The id of the event, the same at every attempt. Receivers use it to ignore duplicates.',
  ),
  header('webhook-timestamp', 'The time of this attempt, in Unix seconds.'),
  header(
    'webhook-signature',
    '`v1,<base64>` for each active secret, separated by spaces: HMAC-SHA-256 of ' +
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
            type: { type: 'string', enum: [type], description: 'The type of the event.' },
            timestamp: { type: 'string', format: 'date-time', description: 'The time of the event.' },
            data: { ...showSchema(data), description: 'The data of the event.' },
          },
        },
      },
    },
  },
});

const answers = {
  '200': { description: 'Delivered. Any status from 200 to 299 means this.' },
  '410': { description: 'The endpoint no longer exists. It is disabled at once.' },
};

export const presentWebhooks = (
  events: Readonly<Record<string, DocumentedEvent>>,
  reference: Reference,
): Record<string, { post: Operation }> =>
  mapValues(events, (event, type) => {
    const operation = completeOperation(`POST ${type}`, presentWebhook(type, event), reference);
    const { responses: _none, ...rest } = operation;
    return { post: { ...rest, responses: answers } };
  });
