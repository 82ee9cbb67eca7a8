// The README and the generated types match the running service.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../../services/licensing/server/src/authentication/api-key.ts';
import { type Given, givenLicensing } from '../../../services/licensing/server/test/environment/given.ts';
import { inlineSchemas } from '../../kit/src/http/openapi/name-schemas.ts';
import { readSnippets } from '../../sdk-shared/test/run-snippets.ts';
import { signedWebhook, webhookSecret } from '../../sdk-shared/test/signed-webhook.ts';
import { type OpenApi, writeWireTypes } from '../../sdk-shared/write-wire-types.ts';
import { leftOut, wanted } from '../operations.ts';
import * as exported from '../src/index.ts';

let given: Given;
let document: OpenApi;

beforeAll(async () => {
  given = await givenLicensing();
  document = inlineSchemas((await given.app.inject({ url: '/openapi.json' })).json());
});
afterAll(() => given.close());

it('the generated types are up to date (npm test -- sdk -u updates them)', async () => {
  await expect(writeWireTypes(document, wanted)).toMatchFileSnapshot('../src/wire.ts');
});

it('the client has a method for every operation that an API key may call', () => {
  const known = [...Object.keys(wanted.operations), ...leftOut].sort();
  const served = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(served.sort()).toEqual(known);
});

const readme = fileURLToPath(new URL('../README.md', import.meta.url));

/** Simulates the `localStorage` of a browser. */
const fakeStorage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  };
};

it('the code snippets of the README run as described', async () => {
  // A snippet verifies a licence with the clock of this process. So the service must use the same time.
  given.clock.now = new Date();
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId, { name: 'Brushes' });
  const url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  const printed: unknown[][] = [];
  const scopes = ['purchases:validate', 'activations:write'] as const;
  const supportedUntil = new Date('2099-12-31T00:00:00Z');
  const env = {
    LICENSING_URL: url,
    LICENSING_API_KEY: await given.apiKey(workspaceId, { scopes: allScopes }),
    PUBLISHABLE_KEY: await given.apiKey(workspaceId, { kind: 'publishable', scopes, itemId }),
    PURCHASE_CODE: (await given.purchase(workspaceId, itemId, { supportedUntil })).code,
    ITEM_ID: String(itemId),
    WEBHOOK_SECRET: webhookSecret,
  };
  const run = readSnippets(readme, '@counterfoil/licensing', exported, ['shipped', 'receive']);
  const { shipped, receive } = await run({
    process: { env },
    console: { log: (...texts: unknown[]) => printed.push(texts) },
    localStorage: fakeStorage(),
  });
  expect(printed).toEqual([
    ['Brushes', true],
    ['Regular'],
    [expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['purchase_not_found', 404, false, 'not_applied', expect.stringMatching(/^req_/)],
  ]);
  const { validate } = shipped as exported.Licensing;
  expect(await validate(env.PURCHASE_CODE)).toMatchObject({ source: 'service' });
  expect(await validate(env.PURCHASE_CODE)).toMatchObject({ source: 'cache' });
  const answerTo = receive as (request: Request) => Promise<Response>;
  const event = { type: 'purchase.issued', data: { id: 1 } };
  expect((await answerTo(signedWebhook(event))).status).toBe(204);
  expect(printed.at(-1)).toEqual(['purchase.issued', { id: 1 }]);
});
