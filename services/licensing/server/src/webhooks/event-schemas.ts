// The schemas of the events, for the OpenAPI document.
import type { DocumentedEvent } from '@counterfoil/kit/http/openapi/webhooks';
import { type TSchema, Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';
import { type EventType, eventTypes } from './events.ts';

const Time = Type.String({ format: 'date-time' });

const PurchaseChange = NamedObject('PurchaseChange', {
  purchase_id: Type.Integer(),
  item_id: Type.Integer(),
  license_type: Type.Enum(['Regular', 'Extended']),
  state: Type.Enum(['active', 'refunded', 'cancelled', 'disputed']),
  price: Type.Number({ description: 'The price that was paid.' }),
  currency: Type.String(),
  purchased_at: Time,
  supported_until: Type.Union([Time, Type.Null()], {
    description: 'The end of support; null without support.',
  }),
});

const kind = Type.Enum(['domain', 'machine'], {
  description: 'Whether the seat is for a host or a machine.',
});

const ActivationChange = NamedObject('ActivationChange', {
  activation_id: Type.Integer({ description: 'The activation; the management API returns its host.' }),
  purchase_id: Type.Integer(),
  item_id: Type.Integer(),
  kind,
  state: Type.Enum(['active', 'released', 'ended'], {
    description: '`ended` while the purchase is refunded, cancelled, disputed or blocked.',
  }),
});

const ActivationRefusal = NamedObject('ActivationRefusal', {
  purchase_id: Type.Integer(),
  item_id: Type.Integer(),
  kind,
  reason: Type.Enum(['activation_limit_reached', 'activation_moves_exhausted'], {
    description: 'The error code of the refusal.',
  }),
  limit: Type.Integer({ description: 'The number of seats of the licence; 0 means 10000.' }),
  used: Type.Integer({ description: 'Seats in use.' }),
});

const PoolStock = NamedObject('PoolStock', {
  pool_id: Type.Integer(),
  item_id: Type.Integer(),
  name: Type.String({ description: 'The name of the pool.' }),
  free: Type.Integer({ description: 'The number of free codes.' }),
  low_stock_below: Type.Integer({ description: 'The threshold of the pool.' }),
});

const KeyRotation = NamedObject('KeyRotation', {
  api_key_id: Type.Integer({ description: 'The key that was replaced.' }),
  new_api_key_id: Type.Integer({ description: 'The key that replaced it.' }),
  old_expires_at: Type.String({ format: 'date-time', description: 'When the replaced key ends.' }),
});

const schemas: Partial<Record<EventType, TSchema>> = {
  'activation.created': ActivationChange,
  'activation.released': ActivationChange,
  'activation.refused': ActivationRefusal,
  'pool.low_stock': PoolStock,
  'key.rotated': KeyRotation,
};

export const documentedEvents: Readonly<Record<string, DocumentedEvent>> = Object.fromEntries(
  Object.entries(eventTypes).map(([type, description]) => [
    type,
    { description, data: schemas[type as EventType] ?? PurchaseChange },
  ]),
);
