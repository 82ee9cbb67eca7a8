// The sandbox of a package has play money, its own UID, keys and ledger, and is marked as a test.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import {
  type GivenPerson,
  giveAdministrator,
  giveMember,
  giveProgram,
  type Send,
} from '../environment/people.ts';

let given: Given;
let admin: Send;
let owner: GivenPackage;
let chief: GivenPerson;

beforeAll(async () => {
  given = await givenWallet();
  admin = (await giveProgram(given)).send;
  owner = await given.package({ name: 'Real', domains: ['real.example'], credit: '5.00' });
  chief = await giveMember(given, owner, 'owner');
});

afterAll(() => given.close());

it('an owner creates the sandbox of a package once; the sandbox is approved and has play money', async () => {
  const path = `/panel/packages/${owner.id}/sandbox`;
  const member = await giveMember(given, owner, 'member');
  expect((await member.send('POST', path)).status).toBe(403);
  const made = await chief.send('POST', path);
  expect(made.status).toBe(200);
  const { package: sandbox, credentials } = made.body.data;
  expect(sandbox).toMatchObject({
    uid: expect.stringMatching(/^UID_test_[0-9a-f]{24}$/),
    name: 'Real',
    state: 'approved',
    currency: 'EUR',
    sandbox: true,
    sandbox_of: owner.id,
    sandbox_id: null,
    domains: ['real.example'],
    balance: 1_000_000_000,
    credit_alert: null,
  });
  for (const pair of [credentials.caller, credentials.callback]) {
    expect(pair.api_key).toMatch(/^gpk_test_[\w-]{43}$/);
    expect(pair.api_secret).toMatch(/^gps_test_[\w-]{43}$/);
  }
  const again = await chief.send('POST', path);
  expect([again.status, again.body.code]).toEqual([409, 'sandbox_exists']);
  const nested = await chief.send('POST', `/panel/packages/${sandbox.id}/sandbox`);
  expect([nested.status, nested.body.code]).toEqual([409, 'is_sandbox']);
  const { rows } = await given.db.query<{ id: bigint; balance: bigint }>(
    'select id, balance from accounts where package_id = $1 order by id',
    [sandbox.id],
  );
  expect(rows.map((row) => row.balance)).toEqual([100_000_000_000n, 0n, -100_000_000_000n]);
});

it('concurrent requests create one sandbox for a package', async () => {
  const fresh = await given.package();
  const path = `/admin/v1/packages/${fresh.id}/sandbox`;
  const answers = await Promise.all([admin('POST', path), admin('POST', path), admin('POST', path)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

it('a sandbox has its own money and players, separate from the real package', async () => {
  const real = await given.package({ credit: '5.00' });
  const made = await admin('POST', `/admin/v1/packages/${real.id}/sandbox`);
  const { credentials, package: sandbox } = made.body.data;
  const headers = {
    'x-uid': credentials.uid,
    'x-api-key': credentials.caller.api_key,
    'x-api-secret': credentials.caller.api_secret,
  };
  await given.player({ ...real, id: sandbox.id }, { playerId: 'tester', balance: '100.00' });
  const balance = await given.app.inject({
    url: '/api/v1/user/balance?player_id=tester',
    headers,
  });
  expect(balance.json()).toMatchObject({ data: { balance: 100 }, package_balance: 999_999_900 });
  const mark = async (as: Record<string, string>) =>
    (await given.app.inject({ url: '/api/v1/package', headers: as })).json().data.sandbox;
  expect([await mark(headers), await mark(real.headers)]).toEqual([true, false]);
  const inReal = await given.app.inject({
    url: '/api/v1/user/balance?player_id=tester',
    headers: real.headers,
  });
  expect(inReal.json().code).toBe('player_not_found');
  const mixed = await given.app.inject({
    url: '/api/v1/user/balance?player_id=tester',
    headers: { ...headers, 'x-uid': real.uid },
  });
  expect(mixed.statusCode).toBe(401);
  const shown = await admin('GET', `/admin/v1/packages/${real.id}`);
  expect(shown.body.data.package).toMatchObject({ balance: 5, sandbox_id: sandbox.id });
});

it('a rotated key pair of a sandbox is marked as a test pair', async () => {
  const [, sandbox] = (await chief.send('GET', '/panel/packages')).body.data.packages;
  const path = `/panel/packages/${sandbox.package.id}/key-pairs/rotate`;
  const rotated = await chief.send('POST', path, { purpose: 'callback' });
  expect(rotated.body.data.pair.api_key).toMatch(/^gpk_test_/);
});

it('a sandbox has the members of its real package, and both are listed together', async () => {
  const mine = await chief.send('GET', '/panel/packages');
  expect(mine.body.data.packages).toMatchObject([
    { role: 'owner', package: { id: owner.id, sandbox: false } },
    { role: 'owner', package: { sandbox: true, sandbox_of: owner.id } },
  ]);
  const sandboxId = mine.body.data.packages[1].package.id;
  const members = await chief.send('GET', `/panel/packages/${sandboxId}/members`);
  expect(members.body.data.members.map((each: { email: string }) => each.email)).toContain(chief.email);
  const stranger = await giveMember(given, await given.package(), 'owner');
  expect((await stranger.send('GET', `/panel/packages/${sandboxId}`)).status).toBe(404);
  const administrator = await giveAdministrator(given);
  const listed = await administrator.send('GET', '/panel/admin/packages?sandbox=true');
  expect(listed.body.data.packages.map((each: { id: number }) => each.id)).toContain(sandboxId);
  const real = await administrator.send('GET', '/panel/admin/packages?sandbox=false');
  expect(real.body.data.packages.map((each: { id: number }) => each.id)).not.toContain(sandboxId);
});
