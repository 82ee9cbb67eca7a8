// A PHP validator for Envato's codes gets the right verdict on each code from this service, over PHP streams.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { keyClient } from '../environment/clients.ts';
import { setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';
import { hasPhp, runPhp, titleOfPhp } from '../environment/php.ts';

const given = setUpLicensing();
const source = new URL('envato-validator.php', import.meta.url);
let url: string;
let token: string;
let itemId: bigint;
let codes: Record<string, string>;

beforeAll(async () => {
  url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  await owner.patch(owner.base, { vendor_clients: ['envato'] });
  token = await given.apiKey(workspaceId, { scopes: allScopes });
  itemId = await given.item(workspaceId, { name: 'Slider' });
  // PHP uses the clock of the machine.
  const supportedUntil = new Date('2099-12-31T00:00:00Z');
  const valid = await given.purchase(workspaceId, itemId, { supportedUntil });
  const unsupported = await given.purchase(workspaceId, itemId, { licenseType: 'Extended' });
  const refunded = await given.purchase(workspaceId, itemId);
  await keyClient(given, token).send('POST', `/purchases/${refunded.id}/refund`);
  codes = {
    valid: valid.code,
    shouted: ` ${valid.code.toUpperCase()} `,
    unsupported: unsupported.code,
    refunded: refunded.code,
    unknown: '00000000-0000-4000-8000-000000000000',
    malformed: 'no code',
  };
});

async function verify(style: object, as = token) {
  const args = [url, as, JSON.stringify(style), JSON.stringify(codes)];
  return JSON.parse(await runPhp(await readFile(source, 'utf8'), args));
}

const plain = { scheme: 'Bearer', version: '1.0', headers: [] };
const agent = 'User-Agent: Purchase code verification on shop.example';
const styles = [
  ['a validator that sends only the token, with HTTP/1.0', plain],
  ['a validator that names its site', { scheme: 'Bearer', version: '1.1', headers: [agent] }],
  [
    'an old validator with headers of a body and `bearer` in lower case',
    {
      scheme: 'bearer',
      version: '1.1',
      headers: [agent, 'Content-Length: 0', 'Content-Type: application/json; charset=utf-8'],
    },
  ],
] as const;

describe.runIf(hasPhp)(titleOfPhp('a PHP validator for codes of Envato'), () => {
  it.each(styles)('%s gets the sale of a valid code, and 404 for other codes', async (_title, style) => {
    const sale = {
      status: 200,
      item: Number(itemId),
      name: 'Slider',
      licence: 'Regular License',
      year: '2026',
      supported: true,
      amount: 19.99,
      buyer: '',
    };
    const text = 'No sale belonging to the current user found with that code';
    const invalid = { status: 404, error: 404, text };
    expect(await verify(style)).toEqual({
      valid: sale,
      shouted: sale,
      unsupported: { ...sale, licence: 'Extended License', supported: false },
      refunded: invalid,
      unknown: invalid,
      malformed: { error: 'not the form of a code' },
    });
  });

  it('a validator with a wrong token gets 401 and no verdict on any code', async () => {
    const { valid, unknown } = await verify(plain, 'ck_live_wrong_wrong_wrong_wrong');
    expect(valid).toMatchObject({ status: 401, error: 401 });
    expect(unknown).toEqual(valid);
  });
});
