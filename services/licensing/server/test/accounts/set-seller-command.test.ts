// `npm run licensing -- set-seller`: an operator sets whether an account is a seller.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bothClients } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { setUpLicensing } from '../environment/given.ts';

const masterKey = randomBytes(32).toString('base64');
const given = setUpLicensing({ MASTER_KEY: masterKey });
let command: TestCommand;
let workspaceId: bigint;

beforeAll(async () => {
  command = await openCommand(given, masterKey);
  workspaceId = await given.workspace();
});

afterAll(() => command.close());

const setSeller = (value: string, workspace = String(workspaceId)) =>
  command.run('set-seller', '--workspace', workspace, '--seller', value);

it('set-seller takes effect in a running service, and leaves an audit line', async () => {
  const itemId = await given.item(workspaceId);
  const { code } = await given.purchase(workspaceId, itemId);
  const headers = { 'x-api-key': await given.apiKey(workspaceId) };
  const validate = async () =>
    (
      await given.app.inject({
        method: 'POST',
        url: '/api/purchases/validation',
        headers,
        payload: { purchase_code: code },
      })
    ).json().code ?? 'valid';
  expect(await validate()).toBe('valid');
  expect(await setSeller('no')).toEqual({
    code: 0,
    out: 'The account is not a seller.\n',
    err: '',
  });
  await expect.poll(validate).toBe('not_a_seller');
  expect((await given.app.inject({ url: '/api/items/all', headers })).statusCode).toBe(200);
  expect((await setSeller('no')).code).toBe(0);
  expect(await setSeller('yes')).toEqual({ code: 0, out: 'The account is a seller.\n', err: '' });
  await expect.poll(validate).toBe('valid');
  const [, panel] = await bothClients(given, workspaceId);
  const log = await panel?.send('GET', '/audit-log?action=seller_set');
  expect(log?.body.data.entries).toMatchObject([
    { actor: { kind: 'operator' }, details: { seller: true } },
    { actor: { kind: 'operator' }, details: { seller: false } },
  ]);
});

it('set-seller refuses an unknown workspace, and any value except yes and no', async () => {
  expect(await setSeller('maybe')).toMatchObject({ code: 2, err: '--seller takes yes or no\n' });
  expect(await setSeller('no', '999999')).toMatchObject({ code: 2, out: '' });
});
