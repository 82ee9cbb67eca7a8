// The shapes of endpoints, deliveries and events in answers.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { type Static, Type } from 'typebox';
import type { ListedDelivery } from '../queries.ts';
import { timeOrNull } from './endpoint.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = Type.String({ format: 'date-time' });

export const EndpointAnswer = named(
  'WebhookEndpoint',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the endpoint.' }),
      url: Type.String({ description: 'The URL that receives the events.' }),
      description: Type.String({ description: 'A note of the owner.' }),
      events: Type.Array(Type.String(), { description: 'The types of events that are sent.' }),
      state: Type.Enum(['enabled', 'disabled'], { description: 'A disabled endpoint receives no events.' }),
      disabled_reason: orNull(Type.String(), '`by_hand`, `gone` (it answered 410) or `failing`.'),
      failing_since: orNull(time, 'The time since which every attempt has failed.'),
      created_at: Type.String({
        format: 'date-time',
        description: 'The time of creation. Only later events are sent.',
      }),
      last_delivered_at: orNull(time, 'The time of the last successful delivery.'),
      pending: Type.Integer({ description: 'The number of waiting events, up to 10000.' }),
      previous_secret_until: orNull(time, 'The end of the overlap in which the previous secret also signs.'),
    },
    { description: 'The endpoint.' },
  ),
);

export const EventTypeAnswer = Type.Object({
  type: Type.String({ description: 'The type in the event.' }),
  description: Type.String({ description: 'When the event is sent.' }),
});

const outcomes = ['delivered', 'failed', 'refused'] as const;

export const OutcomeField = Type.Enum([...outcomes], {
  description: '`refused`: not sent, because the address is not public.',
});

const StatusField = orNull(Type.Integer(), 'The HTTP status of the answer; null without an answer.');
const ErrorField = orNull(Type.String(), 'The reason of the failure, as a code.');
const DurationField = Type.Integer({ description: 'The duration of the attempt.' });

export const DeliveryAnswer = named(
  'WebhookDelivery',
  Type.Object({
    id: Type.Integer({ description: 'The id of the attempt.' }),
    event_id: Type.String({ description: 'The `webhook-id`.' }),
    type: Type.String({ description: 'The type of the event.' }),
    subject: Type.String({ description: 'The subject of the event.' }),
    attempt: Type.Integer({ description: 'The number of the attempt, from 1.' }),
    at: Type.String({ format: 'date-time', description: 'The time of the attempt.' }),
    status: StatusField,
    outcome: OutcomeField,
    duration_ms: DurationField,
    error: ErrorField,
    next_attempt_at: orNull(time, 'The time of the next attempt; null if there is none.'),
  }),
);

export const TestAnswer = Type.Object({
  status: StatusField,
  outcome: OutcomeField,
  duration_ms: DurationField,
  error: ErrorField,
});

export const EventAnswer = Type.Object({
  event: Type.Object(
    {
      type: Type.String({ description: 'The type of the event.' }),
      timestamp: Type.String({ format: 'date-time', description: 'The time of the event.' }),
      data: Type.Record(Type.String(), Type.Unknown(), { description: 'The data, depending on the type.' }),
    },
    { description: 'The payload that is sent.' },
  ),
});

export const presentDelivery = (delivery: ListedDelivery): Static<typeof DeliveryAnswer> => ({
  id: Number(delivery.id),
  event_id: delivery.eventId,
  type: delivery.type,
  subject: delivery.subject,
  attempt: delivery.attempt,
  at: delivery.at.toISOString(),
  status: delivery.status,
  outcome: delivery.outcome,
  duration_ms: delivery.durationMs,
  error: delivery.error,
  next_attempt_at: timeOrNull(delivery.nextAttemptAt),
});
