// The audit log of the platform contains changes by administrators, and some changes by owners.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { erasePlayer } from '../../src/players/erase-player.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { giveAdministrator, giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let program: Send;
let administrator: Send;

beforeAll(async () => {
  given = await givenWallet();
  program = (await giveProgram(given)).send;
  administrator = (await giveAdministrator(given)).send;
});

afterAll(() => given.close());

interface Entry {
  readonly action: string;
  readonly actor: { readonly kind: string };
  readonly subject: { readonly kind: string; readonly id: string };
  readonly package?: { readonly id: number; readonly uid: string };
}

const readPlatform = async (about: number): Promise<Entry[]> => {
  const { body } = await administrator('GET', '/panel/admin/audit-log?limit=100');
  return body.data.entries.filter((entry: Entry) => entry.package?.id === about);
};
const readPackage = async (id: number): Promise<Entry[]> =>
  (await administrator('GET', `/panel/admin/packages/${id}/audit-log`)).body.data.entries;

it('the platform log has the changes that administrators and admin tokens make to packages', async () => {
  const issued = await program('POST', '/admin/v1/packages', { name: 'Both', currency: 'EUR' });
  const { id, uid } = issued.body.data.package;
  const path = `/panel/admin/packages/${id}`;
  await administrator('POST', `${path}/approve`);
  await program('POST', `/admin/v1/packages/${id}/top-ups`, { amount: 5, transaction_id: 't' });
  await administrator('PATCH', path, { overdraft_limit: 3 });
  await administrator('POST', `${path}/suspend`, { reason: 'unpaid' });
  const lines = await readPlatform(id);
  expect(lines.map((line) => [line.action, line.actor.kind])).toEqual([
    ['package_suspended', 'administrator'],
    ['package_edited', 'administrator'],
    ['top_up_applied', 'admin_token'],
    ['package_approved', 'administrator'],
    ['package_issued', 'admin_token'],
  ]);
  expect(new Set(lines.map((line) => line.package?.uid))).toEqual(new Set([uid]));
  const own = await readPackage(id);
  const withoutPlace = (entries: object[]) =>
    entries.map((entry) => ({ ...entry, id: undefined, package: undefined }));
  expect(withoutPlace(own)).toEqual(withoutPlace(lines));
  expect(own.map((line) => line.package)).toEqual(Array(5).fill(undefined));
});

it('the platform log has the changes that owners make to credentials and settings', async () => {
  const owner = await given.package();
  const { send } = await giveMember(given, owner, 'owner');
  const path = `/panel/packages/${owner.id}`;
  await send('PATCH', path, { domains: ['own.example'] });
  await send('POST', `${path}/key-pairs/rotate`, { purpose: 'caller' });
  await send('POST', `${path}/aes-key/rotate`, {});
  const made = await send('POST', `${path}/sandbox`);
  expect(made.status).toBe(200);
  const sandbox = made.body.data.package.id;
  const describe = (lines: Entry[]) =>
    lines.map((line) => [line.action, line.actor.kind]).filter(([action]) => action !== 'signed_in');
  for (const read of [readPlatform, readPackage]) {
    expect(describe(await read(owner.id))).toEqual([
      ['sandbox_created', 'member'],
      ['aes_key_rotated', 'member'],
      ['key_pair_rotated', 'member'],
      ['package_edited', 'member'],
    ]);
    expect(describe(await read(sandbox))).toEqual([['package_issued', 'member']]);
  }
});

it('the creation of a player by an owner is in the package log, but not in the platform log', async () => {
  const owner = await given.package();
  const { send } = await giveMember(given, owner, 'owner');
  const path = `/panel/packages/${owner.id}`;
  expect((await send('POST', `${path}/players`, { player_id: 'p' })).status).toBe(200);
  expect((await readPackage(owner.id)).map((line) => line.action)).toContain('player_created');
  expect(await readPlatform(owner.id)).toEqual([]);
});

it('a player and the line of the log about its creation are written in one transaction', async () => {
  const owner = await given.package();
  const { send } = await giveMember(given, owner, 'owner');
  await send('POST', `/panel/packages/${owner.id}/players`, { player_id: 'p' });
  // PostgreSQL stores the id of the transaction that inserted a row in the column `xmin` of the row.
  const { rows } = await given.db.query(
    `select p.xmin = a.xmin as is_one from players p join audit_log a using (package_id)
     where package_id = $1 and p.player_id = 'p' and a.action = 'player_created'`,
    [owner.id],
  );
  expect(rows).toEqual([{ is_one: true }]);
});

it('the platform log and the package log do not contain the id of an erased player', async () => {
  const owner = await given.package();
  const player = { player_id: 'ada@mail.example' };
  const made = await program('POST', `/admin/v1/packages/${owner.id}/players`, player);
  expect(made.status).toBe(200);
  await erasePlayer(given.db, { packageId: owner.id, playerId: player.player_id });
  for (const lines of [await readPlatform(owner.id), await readPackage(owner.id)]) {
    expect(lines.map((line) => line.action)).toEqual(['player_erased', 'player_created']);
    expect(JSON.stringify(lines)).not.toContain('ada@');
  }
});
