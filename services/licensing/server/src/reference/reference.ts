// The parts of the OpenAPI document that are not in the routes' schemas. examples.json contains recorded
// calls.
import { readFileSync } from 'node:fs';
import type { Example, Reference } from '@counterfoil/kit/http/openapi/reference';
import { securitySchemes } from '../authentication/authenticate.ts';
import { errors } from '../errors.ts';
import { describeTestCodes } from '../purchases/validation/test-codes.ts';
import { documentedEvents } from '../webhooks/event-schemas.ts';
import { descriptions } from './descriptions.ts';
import { guards, operationErrors, pathErrors } from './errors-by-operation.ts';
import { glossary } from './glossary.ts';

const file = new URL('../../reference/examples.json', import.meta.url);

export const reference: Reference = {
  errors: errors.table,
  glossary,
  descriptions,
  guards,
  pathErrors,
  operationErrors,
  examples: JSON.parse(readFileSync(file, 'utf8')) as Example[],
};

const tags = [
  { name: 'Account', description: 'The seller who owns the key.' },
  { name: 'Items', description: 'The published items of the seller.' },
  { name: 'Purchases', description: 'Validation of purchase codes.' },
  { name: 'Activations', description: 'The hosts and machines on which a code is in use.' },
  { name: 'Licences', description: 'Licences that a host verifies without a call, and their keys.' },
  { name: 'Vendor clients', description: 'Operations that clients of other vendors call, off by default.' },
  { name: 'Items (management)', description: 'Management of items, with a key that has `items:write`.' },
  {
    name: 'Purchases (management)',
    description: 'Management of purchases, with a key that has `purchases:write`.',
  },
  {
    name: 'Pools (management)',
    description: 'Pools of codes that exist before their sales, with a key that has `purchases:write`.',
  },
  { name: 'Downloads', description: 'Downloads of buyers through their link.' },
  { name: 'Updates', description: 'New versions for buyers, WordPress and Composer.' },
  { name: 'Webhooks', description: 'Events that the service sends to your endpoints.' },
  { name: 'Buyer portal', description: 'Operations of the buyer portal at `/buyers`.' },
  { name: 'Panel', description: 'Operations of the web panel, with a session.' },
  { name: 'Operations', description: 'Health, readiness and metrics for operators.' },
];

export const describeApi = (service: { serverUrl: string; cookieName: string; buyerCookieName: string }) => ({
  title: 'Counterfoil Licensing',
  description:
    'Read your account and items, and validate purchase codes. With a test key (`ck_test_…`) ' +
    `there is a code for every answer. ${describeTestCodes}`,
  serverUrl: service.serverUrl,
  tags,
  securitySchemes: {
    ...securitySchemes,
    session: { type: 'apiKey', in: 'cookie', name: service.cookieName },
    buyer: { type: 'apiKey', in: 'cookie', name: service.buyerCookieName },
  },
  events: documentedEvents,
  reference,
});
