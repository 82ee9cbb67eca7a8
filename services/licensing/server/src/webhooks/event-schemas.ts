// The schemas of the events, for the OpenAPI document.
import type { DocumentedEvent } from '@counterfoil/kit/http/openapi/webhooks';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';
import { eventTypes } from './events.ts';

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

const KeyRotation = NamedObject('KeyRotation', {
  api_key_id: Type.Integer({ description: 'The key that was replaced.' }),
  new_api_key_id: Type.Integer({ description: 'The key that replaced it.' }),
  old_expires_at: Type.String({ format: 'date-time', description: 'When the replaced key ends.' }),
});

export const documentedEvents: Readonly<Record<string, DocumentedEvent>> = Object.fromEntries(
  Object.entries(eventTypes).map(([type, description]) => [
    type,
    { description, data: type === 'key.rotated' ? KeyRotation : PurchaseChange },
  ]),
);
