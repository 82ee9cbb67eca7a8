// The README and the generated types match the running service.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenWallet } from '../../../services/wallet/server/test/environment/given.ts';
import { inlineSchemas } from '../../kit/src/http/openapi/name-schemas.ts';
import { readSnippets } from '../../sdk-shared/test/run-snippets.ts';
import { signedWebhook, webhookSecret } from '../../sdk-shared/test/signed-webhook.ts';
import { type OpenApi, writeWireTypes } from '../../sdk-shared/write-wire-types.ts';
import { leftOut, wanted } from '../operations.ts';
import * as exported from '../src/index.ts';

let given: Given;
let document: OpenApi;

beforeAll(async () => {
  given = await givenWallet();
  document = inlineSchemas((await given.app.inject({ url: '/openapi.json' })).json());
});
afterAll(() => given.close());

it('the generated types are up to date (npm test -- sdk -u updates them)', async () => {
  await expect(writeWireTypes(document, wanted)).toMatchFileSnapshot('../src/wire.ts');
});

it('the client has a method for every operation that a package may call', () => {
  const known = [...Object.keys(wanted.operations), ...leftOut].sort();
  const served = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(served.sort()).toEqual(known);
});

const readme = fileURLToPath(new URL('../README.md', import.meta.url));

it('the code snippets of the README run as described', async () => {
  given.clock.now = new Date();
  const owner = await given.package({ callbackSecurity: 'signed' });
  const url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  const printed: unknown[][] = [];
  const env = {
    WALLET_URL: url,
    WALLET_UID: owner.uid,
    WALLET_API_KEY: owner.caller.apiKey,
    WALLET_API_SECRET: owner.caller.apiSecret,
    CALLBACK_AES_KEY: owner.aesKey,
    CALLBACK_API_KEY: owner.callback.apiKey,
    CALLBACK_API_SECRET: owner.callback.apiSecret,
    WEBHOOK_SECRET: webhookSecret,
  };
  const run = readSnippets(readme, '@counterfoil/wallet', exported, ['answer', 'receive']);
  const bound = {
    process: { env },
    console: { log: (...texts: unknown[]) => printed.push(texts) },
  };
  const { answer, receive } = await run(bound);
  expect(printed).toEqual([['12.5', '987.5'], ['only 12.5 left'], [1, '1000'], [2, '12.5'], [3, '100']]);
  expect(JSON.parse(answer as string)).toMatchObject({ status: 'success', balance: 12.5 });
  const answerTo = receive as (request: Request) => Promise<Response>;
  for (let times = 0; times < 2; times++) {
    const event = { type: 'balance.changed', data: { player_id: 'player-1' } };
    expect((await answerTo(signedWebhook(event))).status).toBe(204);
  }
  expect(printed.slice(5)).toEqual([['balance.changed', { player_id: 'player-1' }]]);
});
