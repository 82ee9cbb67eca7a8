// The shapes of endpoints, deliveries and events in answers.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { type Static, Type } from 'typebox';
import type { ListedDelivery } from '../queries.ts';
import { timeOrNull } from './endpoint.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(
  schema: T,
  description: string,
) => Type.Union([schema, Type.Null()], { description });
const time = Type.String({ format: 'date-time' });

export const EndpointAnswer = named(
  'WebhookEndpoint',
  Type.Object(
    {
      id: Type.Integer({ description: 'Names the endpoint in addresses.' }),
      url: Type.String({ description: 'Where events are posted to.' }),
      description: Type.String({ description: "The owner's own words." }),
      events: Type.Array(Type.String(), { description: 'Types of events that are sent.' }),
      state: Type.Enum(['enabled', 'disabled'], { description: 'A disabled one is sent nothing.' }),
      disabled_reason: orNull(Type.String(), '`by_hand`, `gone` (it answered 410) or `failing`.'),
      failing_since: orNull(time, 'Since when every attempt has failed.'),
      created_at: Type.String({
        format: 'date-time',
        description: 'Events from then on are sent.',
      }),
      last_delivered_at: orNull(time, 'When it last took an event.'),
      pending: Type.Integer({ description: 'How many wait, as far as 10000.' }),
      previous_secret_until: orNull(time, 'Until then the secret before signs as well.'),
    },
    { description: 'The endpoint.' },
  ),
);

export const EventTypeAnswer = Type.Object({
  type: Type.String({ description: 'As it stands in the event.' }),
  description: Type.String({ description: 'When it is sent.' }),
});

const outcomes = ['delivered', 'failed', 'refused'] as const;

export const OutcomeField = Type.Enum([...outcomes], {
  description: '`refused`: not sent, as the address is not public.',
});

const StatusField = orNull(Type.Integer(), 'The HTTP status of the answer, where there was one.');
const ErrorField = orNull(Type.String(), 'Why it failed, in a word.');
const DurationField = Type.Integer({ description: 'How long the attempt took.' });

export const DeliveryAnswer = named(
  'WebhookDelivery',
  Type.Object({
    id: Type.Integer({ description: 'Of this attempt.' }),
    event_id: Type.String({ description: 'The `webhook-id`.' }),
    type: Type.String({ description: 'Of the event.' }),
    subject: Type.String({ description: 'What the event is about.' }),
    attempt: Type.Integer({ description: 'Counts from 1.' }),
    at: Type.String({ format: 'date-time', description: 'When it was sent.' }),
    status: StatusField,
    outcome: OutcomeField,
    duration_ms: DurationField,
    error: ErrorField,
    next_attempt_at: orNull(time, 'When it will be tried again.'),
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
      type: Type.String({ description: 'What happened.' }),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
      data: Type.Record(Type.String(), Type.Unknown(), { description: 'By type.' }),
    },
    { description: 'The payload as it is sent.' },
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
