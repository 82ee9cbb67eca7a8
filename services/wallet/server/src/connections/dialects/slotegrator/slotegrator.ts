// Slotegrator's GIS protocol: one address, signed forms, HTTP 200 for every answer.
import type { Dialect } from '../dialect.ts';
import { parseRequest, type SlotegratorContext } from './parse.ts';
import { present, presentEarly } from './present.ts';
import { authenticate } from './signature.ts';

export const slotegrator: Dialect<SlotegratorContext> = {
  name: 'slotegrator',
  secrets: { merchant_id: 'theirs', merchant_key: 'theirs' },
  repeatBalance: 'stored',
  showsPromo: false,
  authenticate,
  parse: parseRequest,
  present,
  presentEarly,
};
