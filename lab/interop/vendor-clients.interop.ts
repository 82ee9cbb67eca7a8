// Published clients of Envato, Gumroad and Lemon Squeezy work with the service; only their host is changed.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../services/licensing/server/src/authentication/api-key.ts';
import { keyClient } from '../../services/licensing/server/test/environment/clients.ts';
import { type Given, givenLicensing } from '../../services/licensing/server/test/environment/given.ts';
import { givenSignedIn } from '../../services/licensing/server/test/environment/panel-browser.ts';

const script = fileURLToPath(new URL('run-vendor-clients.mjs', import.meta.url));

let given: Given;
let origin: string;
beforeAll(async () => {
  given = await givenLicensing();
  origin = await given.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => given?.close());

async function runClients() {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId, { name: 'Paperlane', externalId: 'paperlane' });
  const manager = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  const shipped = { kind: 'publishable', scopes: ['purchases:validate'], itemId } as const;
  const key = await given.apiKey(workspaceId, shipped);
  const owner = await givenSignedIn(given, workspaceId);
  await owner.patch(owner.base, { vendor_clients: ['envato', 'gumroad', 'lemon_squeezy'] });
  const sold = await given.purchase(workspaceId, itemId);
  const refunded = await given.purchase(workspaceId, itemId);
  await manager.send('POST', `/purchases/${refunded.id}/refund`);
  const codes = {
    valid: sold.code,
    refunded: refunded.code,
    unknown: '00000000-0000-4000-8000-000000000000',
  };
  const wanted = { baseUrl: `${origin}/vendors/${key}`, product: 'paperlane', codes };
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(wanted)]);
  return JSON.parse(stdout);
}

it('clients report valid, refunded and unknown codes correctly, and a second host is refused', async () => {
  const printed = await runClients();
  expect(printed.envato).toEqual({
    valid: { item: 'Paperlane', license: 'Regular License', soldAt: '2026-05-04T10:00:00.000Z' },
    refunded: null,
    unknown: null,
  });
  const missing = 'That license does not exist for the provided product.';
  expect(printed.gumroad).toEqual({
    valid: { uses: 1, product: 'Paperlane', refunded: false },
    refunded: { uses: 1, product: 'Paperlane', refunded: true },
    unknown: { message: missing, statusCode: 404 },
  });
  expect(printed.lemonSqueezy).toEqual({
    validated: {
      valid: { statusCode: 200, valid: true, status: 'inactive', used: 0 },
      refunded: {
        statusCode: 400,
        valid: false,
        status: 'disabled',
        used: 0,
        refused: 'This license key is disabled.',
      },
      unknown: { statusCode: 404, valid: false, refused: 'license_key not found.' },
    },
    activated: { statusCode: 200, activated: true, status: 'active', used: 1 },
    limited: {
      statusCode: 400,
      activated: false,
      status: 'active',
      used: 1,
      refused: 'This license key has reached the activation limit.',
    },
    instance: { statusCode: 200, valid: true, status: 'active', used: 1 },
    deactivated: { statusCode: 200, deactivated: true, status: 'inactive', used: 0 },
  });
});
