// Members and invitations of a package, administrators of the platform, and both audit logs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import {
  type GivenPerson,
  giveAdministrator,
  giveMember,
  giveProgram,
  type Send,
} from '../environment/people.ts';

let given: Given;
let administrator: GivenPerson;
let program: Send;

beforeAll(async () => {
  given = await givenWallet();
  administrator = await giveAdministrator(given);
  program = (await giveProgram(given)).send;
});

afterAll(() => given.close());

const redeem = (url: string, name: string) =>
  given.app.inject({
    method: 'POST',
    url: '/panel/links/redeem',
    headers: { origin: given.config.publicUrl },
    payload: { token: url.split('#token=')[1], name, password: 'a good long password' },
  });

const readLog = async (send: Send, path: string) => (await send('GET', path)).body.data.entries;

describe('members of a package', () => {
  it('an invited person joins with the given role, and the audit log names the inviter', async () => {
    const owner = await given.package();
    const chief = await giveMember(given, owner, 'owner');
    const base = `/panel/packages/${owner.id}`;
    const invited = await chief.send('POST', `${base}/invitations`, {
      email: 'New@Example.com',
      role: 'member',
    });
    expect(invited.body.data).toEqual({
      id: expect.any(Number),
      mail: 'off',
      url: expect.stringContaining('#token=cfl_'),
      expires_at: expect.any(String),
    });
    const open = await chief.send('GET', `${base}/invitations`);
    expect(open.body.data.invitations).toMatchObject([
      { email: 'new@example.com', role: 'member', invited_by: Number(chief.id) },
    ]);
    expect((await redeem(invited.body.data.url, 'New One')).statusCode).toBe(200);
    const members = await chief.send('GET', `${base}/members`);
    expect(members.body.data.members).toMatchObject([
      { email: 'new@example.com', name: 'New One', role: 'member', second_factor: false },
      { email: chief.email, role: 'owner' },
    ]);
    const log = await readLog(chief.send, `${base}/audit-log`);
    expect(log.map((each: { action: string }) => each.action)).toEqual([
      'signed_in',
      'invitation_redeemed',
      'invitation_made',
      'signed_in',
    ]);
    expect(log[2]).toMatchObject({
      actor: { kind: 'member', id: Number(chief.id), name: expect.any(String) },
      subject: { kind: 'invitation', id: 'new@example.com' },
    });
  });

  it('owners may change roles and remove members; the last owner cannot leave or lose the role', async () => {
    const owner = await given.package();
    const [chief, member, other] = [
      await giveMember(given, owner, 'owner'),
      await giveMember(given, owner, 'member'),
      await giveMember(given, owner, 'member'),
    ];
    const one = (person: GivenPerson) => `/panel/packages/${owner.id}/members/${person.id}`;
    expect((await chief.send('PATCH', one(chief), { role: 'member' })).body.code).toBe('last_owner');
    expect((await chief.send('DELETE', one(chief))).body.code).toBe('last_owner');
    expect((await member.send('DELETE', one(other))).body.code).toBe('forbidden');
    expect((await chief.send('PATCH', one(member), { role: 'owner' })).status).toBe(200);
    expect((await member.send('DELETE', one(other))).status).toBe(200);
    expect((await other.send('GET', `/panel/packages/${owner.id}`)).status).toBe(404);
    expect((await chief.send('DELETE', one(chief))).status).toBe(200);
    expect((await chief.send('GET', `/panel/packages/${owner.id}`)).status).toBe(404);
    const wrong = await member.send('PATCH', one(member), { role: 'administrator' });
    expect(wrong.status).toBe(400);
    expect((await member.send('DELETE', one(other))).body.code).toBe('member_not_found');
    const [left] = await readLog(member.send, `/panel/packages/${owner.id}/audit-log`);
    expect(left).toMatchObject({
      action: 'member_removed',
      actor: { kind: 'member', id: Number(chief.id) },
    });
  });

  it('the audit log hides names and IP addresses of administrators and tokens from members', async () => {
    const owner = await given.package();
    const member = await giveMember(given, owner, 'member');
    const guest = { email: 'guest@example.com', role: 'owner' };
    const made = await program('POST', `/admin/v1/packages/${owner.id}/invitations`, guest);
    const path = `/panel/admin/packages/${owner.id}/invitations/${made.body.data.id}`;
    expect((await administrator.send('DELETE', path)).status).toBe(200);
    expect((await administrator.send('DELETE', path)).body.code).toBe('invitation_not_found');
    expect((await redeem(made.body.data.url, 'Late')).statusCode).toBe(404);
    const seen = await readLog(member.send, `/panel/packages/${owner.id}/audit-log`);
    expect(seen.slice(0, 2)).toMatchObject([
      { action: 'invitation_withdrawn', actor: { kind: 'administrator' }, address: '' },
      { action: 'invitation_made', actor: { kind: 'admin_token' }, address: '' },
    ]);
    expect(seen[0].actor).toEqual({ kind: 'administrator' });
    const full = await readLog(program, `/admin/v1/packages/${owner.id}/audit-log`);
    expect(full[0]).toMatchObject({
      actor: { kind: 'administrator', id: Number(administrator.id), name: expect.any(String) },
      address: '10.7.7.7',
    });
  });

  it('the invitations and members of another package are not found', async () => {
    const [first, second] = [await given.package(), await given.package()];
    const chief = await giveMember(given, first, 'owner');
    const stranger = await giveMember(given, second, 'owner');
    const guest = { email: 'other@example.com', role: 'member' };
    const made = await program('POST', `/admin/v1/packages/${second.id}/invitations`, guest);
    const base = `/panel/packages/${first.id}`;
    const gone = await chief.send('DELETE', `${base}/invitations/${made.body.data.id}`);
    expect([gone.status, gone.body.code]).toEqual([404, 'invitation_not_found']);
    const foreign = await chief.send('DELETE', `${base}/members/${stranger.id}`);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'member_not_found']);
  });
});

describe('administrators of the platform', () => {
  it('administrators may invite and remove each other, and the platform log records both', async () => {
    const { send } = administrator;
    const invited = await send('POST', '/panel/admin/administrator-invitations', {
      email: 'second@example.com',
      role: 'administrator',
    });
    expect((await redeem(invited.body.data.url, 'Second Admin')).statusCode).toBe(200);
    const listed = await send('GET', '/panel/admin/administrators');
    const second = listed.body.data.members.find(
      (each: { email: string }) => each.email === 'second@example.com',
    );
    expect(second).toMatchObject({ role: 'administrator', name: 'Second Admin' });
    const removed = await send('DELETE', `/panel/admin/administrators/${second.person_id}`);
    expect(removed.status).toBe(200);
    const log = await readLog(send, '/panel/admin/audit-log?limit=4');
    expect(log.map((each: { action: string }) => each.action)).toEqual([
      'member_removed',
      'signed_in',
      'invitation_redeemed',
      'invitation_made',
    ]);
    expect(log[3].actor).toMatchObject({ kind: 'administrator', id: Number(administrator.id) });
    const byToken = await readLog(program, '/admin/v1/audit-log?limit=4');
    expect(byToken).toEqual(log);
  });

  it('an admin token cannot create administrators or admin tokens', async () => {
    for (const path of ['administrators', 'administrator-invitations', 'admin-tokens']) {
      expect((await program('GET', `/admin/v1/${path}`)).body.code).toBe('route_not_found');
    }
  });

  it('the pages of the audit log contain each entry once', async () => {
    const owner = await given.package();
    for (let i = 0; i < 5; i++) {
      await program('PATCH', `/admin/v1/packages/${owner.id}`, { alert_threshold: i + 1 });
    }
    const path = `/admin/v1/packages/${owner.id}/audit-log?limit=2`;
    const seen: number[] = [];
    let cursor = '';
    for (let pages = 0; pages < 9; pages++) {
      const { data } = (await program('GET', path + cursor)).body;
      seen.push(
        ...data.entries.map(
          (each: { details: { alert_threshold: { to: number } } }) => each.details.alert_threshold.to,
        ),
      );
      if (data.next_cursor === null) break;
      cursor = `&cursor=${data.next_cursor}`;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    expect((await program('GET', `${path}&cursor=zz`)).status).toBe(400);
    expect((await program('GET', `${path}&action=x'y`)).status).toBe(400);
  });
});
