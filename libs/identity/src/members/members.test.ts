// Members of a tenant can be listed, removed and given roles, and one owner always remains.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { invitePerson, listInvitations } from '../links/invitations.ts';
import { goodPassword, openSignInDesk, type SignInDesk } from '../testing/sign-in-app.ts';
import { changeRole, removeMember } from './members.ts';
import { createPersonWithPassword } from './people.ts';
import { platformTenantId, type Role } from './person.ts';
import { listMembers, listMemberships } from './queries.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

let lastTenant = 0n;
const tenantWith = async (...roles: Role[]) => {
  const tenantId = ++lastTenant;
  const people = [];
  for (const role of roles) people.push(await desk.person({ memberships: [{ tenantId, role }] }));
  const [first = { id: 0n, email: '' }, second = { id: 0n, email: '' }] = people;
  return { tenantId, first, second };
};

const remove = (tenantId: bigint, personId: bigint) =>
  desk.db.transaction((tx) => removeMember(desk.signIn, tx, { tenantId, personId, actorId: null }));
const change = (tenantId: bigint, personId: bigint, role: Role) =>
  desk.db.transaction((tx) =>
    changeRole(desk.signIn, tx, { tenantId, personId, role, actorId: 1n, address: '192.0.2.1' }),
  );

describe('members', () => {
  it('members are listed by e-mail with their roles, without the members of other tenants', async () => {
    const { tenantId, first, second } = await tenantWith('owner', 'member');
    await tenantWith('owner');
    expect(await listMembers(desk.db, tenantId)).toMatchObject([
      { personId: first.id, email: first.email, name: 'Ada Byron', role: 'owner' },
      { personId: second.id, role: 'member', secondFactor: false, disabled: false },
    ]);
  });

  it('a role is changed, and the audit log records the change exactly once', async () => {
    const { tenantId, second } = await tenantWith('owner', 'member');
    await change(tenantId, second.id, 'owner');
    expect(await listMemberships(desk.db, second.id)).toEqual([{ tenantId, role: 'owner' }]);
    expect(desk.events.at(-1)).toEqual({
      action: 'role_changed',
      at: desk.signIn.now(),
      actorId: 1n,
      personId: second.id,
      tenantId,
      address: '192.0.2.1',
      details: { from: 'member', to: 'owner' },
    });
    const events = desk.events.length;
    await change(tenantId, second.id, 'owner');
    expect(desk.events).toHaveLength(events);
  });

  it('the id of a member of another tenant is answered like an unknown id', async () => {
    const { tenantId } = await tenantWith('owner');
    const other = await tenantWith('owner', 'member');
    for (const personId of [other.second.id, 999_999n]) {
      await expect(remove(tenantId, personId)).rejects.toThrow('member_not_found');
      await expect(change(tenantId, personId, 'owner')).rejects.toThrow('member_not_found');
    }
  });

  it('the last owner can be neither removed nor demoted', async () => {
    const { tenantId, first, second } = await tenantWith('owner', 'member');
    await expect(remove(tenantId, first.id)).rejects.toThrow('last_owner');
    await expect(change(tenantId, first.id, 'member')).rejects.toThrow('last_owner');
    await change(tenantId, second.id, 'owner');
    await change(tenantId, first.id, 'member');
    await remove(tenantId, first.id);
    expect(await listMembers(desk.db, tenantId)).toHaveLength(1);
  });

  it('an owner cannot be removed if all other owners are disabled', async () => {
    const { tenantId, first, second } = await tenantWith('owner', 'owner');
    await desk.db.query('update people set disabled_at = now() where id = $1', [second.id]);
    await expect(remove(tenantId, first.id)).rejects.toThrow('last_owner');
    await remove(tenantId, second.id);
  });

  it('if one of two owners is removed while the other is demoted, one of the changes fails', async () => {
    for (let i = 0; i < 10; i++) {
      const { tenantId, first, second } = await tenantWith('owner', 'owner');
      const results = await Promise.allSettled([
        remove(tenantId, first.id),
        change(tenantId, second.id, 'member'),
      ]);
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      const members = await listMembers(desk.db, tenantId);
      expect(members.filter((member) => member.role === 'owner')).toHaveLength(1);
    }
  });

  it('members of the platform are administrators, and the last administrator cannot be removed', async () => {
    const tenantId = platformTenantId;
    const memberships = [{ tenantId, role: 'administrator' as const }];
    const admin = await desk.person({ memberships });
    await expect(remove(tenantId, admin.id)).rejects.toThrow('last_owner');
    await expect(change(tenantId, admin.id, 'member')).rejects.toThrow('invalid_parameter');
    await desk.person({ memberships });
    await remove(tenantId, admin.id);
    await expect(desk.person({ memberships: [{ tenantId, role: 'owner' }] })).rejects.toThrow();
  });

  it('a removed member has no membership at the next request, and stays signed in', async () => {
    const { tenantId, second } = await tenantWith('owner', 'member');
    const browser = desk.browser();
    await browser.signIn(second.email);
    await remove(tenantId, second.id);
    const me = await browser.send('GET', '/panel/session');
    expect(me.body.data).toMatchObject({ person: { email: second.email }, memberships: [] });
  });

  it('the open invitations that a member created are withdrawn when the member is removed', async () => {
    const { tenantId, first, second } = await tenantWith('owner', 'owner');
    const invite = (email: string, invitedBy: bigint) =>
      desk.db.transaction((tx) =>
        invitePerson(desk.signIn, tx, { tenantId, email, role: 'owner', invitedBy }),
      );
    await invite('backdoor@example.com', second.id);
    await invite('friend@example.com', first.id);
    await remove(tenantId, second.id);
    const open = await listInvitations(desk.signIn, tenantId);
    expect(open.map((each) => each.email)).toEqual(['friend@example.com']);
  });
});

describe('createPersonWithPassword', () => {
  const create = (email: string, password = goodPassword) =>
    desk.db.transaction((tx) => createPersonWithPassword(tx, { email, name: 'Ada', password }));

  it('createPersonWithPassword creates one person per e-mail, regardless of letter case', async () => {
    await create('Unique@Example.com');
    await expect(create('uniquE@example.COM')).rejects.toThrow('already');
  });

  it('createPersonWithPassword applies the rules for passwords and e-mails', async () => {
    await expect(create('a@example.com', 'short')).rejects.toThrow('at least 10');
    await expect(create('nothing')).rejects.toThrow('no e-mail');
  });
});
