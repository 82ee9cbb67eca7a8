// The OpenAPI document apart from the schemas of the routes; examples.json holds recorded calls.
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
  { name: 'Items', description: 'What the seller has published.' },
  { name: 'Purchases', description: 'Whether a purchase code is valid.' },
  { name: 'Activations', description: 'On which hosts and machines a code is in use.' },
  { name: 'Items (management)', description: 'Items get in: by a key with items:write.' },
  { name: 'Purchases (management)', description: 'Sales get in: by a key with purchases:write.' },
  { name: 'Downloads', description: 'For buyers, by their link.' },
  { name: 'Webhooks', description: 'What the service posts to your endpoints.' },
  { name: 'Panel', description: 'For the web panel, by session.' },
  { name: 'Operations', description: 'For whoever runs the service.' },
];

export const describeApi = (service: { serverUrl: string; cookieName: string }) => ({
  title: 'Counterfoil Licensing',
  description:
    'Look up your account and items, and check whether a purchase code is valid. With a test ' +
    `key (\`ck_test_…\`) there is a code for every answer. ${describeTestCodes}`,
  serverUrl: service.serverUrl,
  tags,
  securitySchemes: {
    ...securitySchemes,
    session: { type: 'apiKey', in: 'cookie', name: service.cookieName },
  },
  events: documentedEvents,
  reference,
});
