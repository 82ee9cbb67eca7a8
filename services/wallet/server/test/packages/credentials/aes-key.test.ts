// The AES key is rotated with an overlap, and is shown again only if the password is given.
import { unseal } from '@counterfoil/kit/crypto/secrets';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../../environment/given.ts';
import { giveMember, giveProgram, password, type Send } from '../../environment/people.ts';

let given: Given;
let admin: Send;

beforeAll(async () => {
  given = await givenWallet();
  admin = (await giveProgram(given)).send;
});

afterAll(() => given.close());

const hourMs = 3_600_000;

const rotate = (owner: GivenPackage, body: object = {}) =>
  admin('POST', `/admin/v1/packages/${owner.id}/aes-key/rotate`, body);

it('an owner sees both AES keys with the password during the overlap, then only the new key', async () => {
  const owner = await given.package();
  const chief = await giveMember(given, owner, 'owner');
  const reveal = async () =>
    (await chief.send('POST', `/panel/packages/${owner.id}/aes-key/reveal`, { password })).body.data;
  expect(await reveal()).toEqual({ aes_key: owner.aesKey, previous: null });
  const until = new Date(given.clock.now.getTime() + hourMs);
  const rotated = await rotate(owner, { overlap: '1h' });
  expect(rotated.body.data).toEqual({
    aes_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    old_until: until.toISOString(),
  });
  const fresh = rotated.body.data.aes_key;
  expect(fresh).not.toBe(owner.aesKey);
  const previous = { aes_key: owner.aesKey, until: until.toISOString() };
  expect(await reveal()).toEqual({ aes_key: fresh, previous });
  const shown = await chief.send('GET', `/panel/packages/${owner.id}`);
  expect(shown.body.data.package).toMatchObject({
    aes_key_rotated_at: given.clock.now.toISOString(),
    aes_key_previous_until: until.toISOString(),
  });
  const before = given.clock.now;
  given.clock.now = until;
  expect(await reveal()).toEqual({ aes_key: fresh, previous: null });
  given.clock.now = before;
});

it('a second rotation during the overlap of the first is refused unless its own overlap is 0', async () => {
  const owner = await given.package();
  await rotate(owner, { overlap: '7d' });
  const refused = await rotate(owner, { overlap: '1h' });
  expect([refused.status, refused.body.code]).toEqual([409, 'overlap_running']);
  const last = await rotate(owner, { overlap: '0' });
  expect(last.status).toBe(200);
  const { rows } = await given.db.query<{
    uid: string;
    aes_key_sealed: Buffer;
    aes_key_previous_sealed: Buffer | null;
  }>('select uid, aes_key_sealed, aes_key_previous_sealed from packages where id = $1', [owner.id]);
  const [row] = rows;
  expect(row?.aes_key_previous_sealed).toBeNull();
  const sealed = { sealed: row?.aes_key_sealed as Buffer, context: `aes_key:${owner.uid}` };
  expect(unseal(given.config.masterKey, sealed)).toBe(last.body.data.aes_key);
});

it('no AES key is shown to a member, to an admin token, or after a wrong password', async () => {
  const owner = await given.package();
  const [chief, member] = [await giveMember(given, owner, 'owner'), await giveMember(given, owner, 'member')];
  const path = `/panel/packages/${owner.id}/aes-key`;
  expect((await member.send('POST', `${path}/reveal`, { password })).status).toBe(403);
  expect((await member.send('POST', `${path}/rotate`)).status).toBe(403);
  const wrong = await chief.send('POST', `${path}/reveal`, { password: 'wrong password' });
  expect(wrong.body.code).toBe('password_wrong');
  const byToken = await admin('POST', `/admin/v1/packages/${owner.id}/aes-key/reveal`, {
    password,
  });
  expect(byToken.body.code).toBe('route_not_found');
  expect((await rotate(owner, { overlap: 'never' })).status).toBe(400);
});
