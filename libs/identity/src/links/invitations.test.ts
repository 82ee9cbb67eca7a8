// Each invitation is for one e-mail. It is redeemed by a new person or by the existing person with that
// e-mail.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listMemberships } from '../members/queries.ts';
import {
  type Browser,
  goodPassword,
  openSignInDesk,
  outcome,
  type SignInDesk,
} from '../testing/sign-in-app.ts';
import { listInvitations, withdrawInvitation } from './invitations.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const newcomer = { name: 'Grace Hopper', password: 'a new and long password' };
const inspect = (token: string) => desk.browser().send('POST', '/panel/links/inspect', { token });
const membershipsOf = async (browser: Browser) =>
  ((await browser.send('GET', '/panel/session')).body.data as { memberships: object[] }).memberships;

describe('an invitation', () => {
  it('redeeming an invitation makes a new person a member with a password, and signs them in', async () => {
    const { token, email, tenantId } = await desk.invite({ role: 'owner' });
    const browser = desk.browser();
    const answer = await desk.redeem({ token, ...newcomer, name: '  Grace Hopper ' }, browser);
    expect(answer.body.data).toEqual({
      purpose: 'invitation',
      email,
      tenant_id: Number(tenantId),
      signed_in: true,
    });
    expect((await browser.send('GET', '/panel/session')).body.data).toMatchObject({
      person: { email, name: 'Grace Hopper' },
      memberships: [{ tenant_id: Number(tenantId), role: 'owner' }],
    });
    expect((await desk.browser().signIn(email, newcomer.password)).status).toBe(200);
    const actions = desk.events.slice(-3).map((event) => event.action);
    expect(actions).toEqual(['invitation_redeemed', 'signed_in', 'signed_in']);
  });

  it('an invitation can still be redeemed after refused attempts', async () => {
    const { token, email } = await desk.invite();
    const tries = [
      { body: { token }, field: 'name' },
      { body: { token, name: '   ', password: newcomer.password }, field: 'name' },
      { body: { token, name: 'Grace' }, field: 'password' },
    ];
    for (const { body, field } of tries) {
      const answer = await desk.redeem(body);
      expect(outcome(answer)).toEqual([400, 'invalid_parameter']);
      expect(answer.body.errors).toEqual({ [field]: ['is required.'] });
    }
    for (const password of ['short', email, 'password123']) {
      const answer = await desk.redeem({ token, name: 'Grace', password });
      expect(outcome(answer)).toEqual([400, 'password_refused']);
    }
    expect((await desk.redeem({ token, ...newcomer })).status).toBe(200);
  });

  it('an invitation adds a membership to the signed-in person without asking for the password', async () => {
    const { id, email } = await desk.person({ memberships: [{ tenantId: 1n, role: 'owner' }] });
    const browser = desk.browser();
    await browser.signIn(email);
    const { cookie } = browser;
    const { token, tenantId } = await desk.invite({ email });
    const answer = await desk.redeem({ token }, browser);
    expect(answer.body.data).toMatchObject({ signed_in: false });
    expect(browser.cookie).toBe(cookie);
    expect(await listMemberships(desk.db, id)).toEqual([
      { tenantId: 1n, role: 'owner' },
      { tenantId, role: 'member' },
    ]);
  });

  it('a signed-out person redeems an invitation with their own password, which stays valid', async () => {
    const { email } = await desk.person();
    const { token, tenantId } = await desk.invite({ email });
    expect((await inspect(token)).body.data).toMatchObject({ person_exists: true });
    const wrong = await desk.redeem({ token, ...newcomer });
    expect(outcome(wrong)).toEqual([401, 'sign_in_failed']);
    expect((await desk.redeem({ token, password: goodPassword })).status).toBe(200);
    const browser = desk.browser();
    await browser.signIn(email);
    expect(await membershipsOf(browser)).toEqual([{ tenant_id: Number(tenantId), role: 'member' }]);
  });

  it('an invitation is valid for its e-mail only: another signed-in person cannot redeem it', async () => {
    const invited = await desk.person();
    const other = await desk.person();
    const { token } = await desk.invite({ email: invited.email });
    const browser = desk.browser();
    await browser.signIn(other.email);
    expect((await desk.redeem({ token }, browser)).body.code).toBe('invalid_parameter');
    expect(outcome(await desk.redeem({ token, password: 'some guess' }, browser))).toEqual([
      401,
      'sign_in_failed',
    ]);
    expect(await membershipsOf(browser)).toEqual([]);
  });

  it('an invitation does not set the first password of a member of another tenant', async () => {
    const { id, email } = await desk.person({ memberships: [{ tenantId: 2n, role: 'owner' }] });
    await desk.db.query('update people set password_hash = null where id = $1', [id]);
    const { token } = await desk.invite({ email });
    expect((await desk.redeem({ token, ...newcomer })).body.code).toBe('sign_in_failed');
  });

  it('an invitation cannot be redeemed by a disabled person', async () => {
    const { id, email } = await desk.person();
    await desk.db.query('update people set disabled_at = now() where id = $1', [id]);
    const { token } = await desk.invite({ email });
    expect((await desk.redeem({ token, password: goodPassword })).body.code).toBe('sign_in_failed');
  });

  it('after ten wrong passwords, both redeeming an invitation and signing in are refused', async () => {
    const { email } = await desk.person();
    const { token } = await desk.invite({ email });
    const browser = desk.browser('203.0.113.77');
    for (let i = 0; i < 10; i++) await desk.redeem({ token, password: 'some guess' }, browser);
    const limited = await desk.redeem({ token, password: goodPassword }, browser);
    expect(outcome(limited)).toEqual([429, 'rate_limited']);
    expect((await browser.signIn(email)).body.code).toBe('rate_limited');
  });

  it('an invitation is listed until it is redeemed, and cannot be created for a member', async () => {
    const { tenantId, email, token, id } = await desk.invite();
    expect(await listInvitations(desk.signIn, tenantId)).toMatchObject([
      { id, email, role: 'member', invitedBy: null },
    ]);
    await desk.redeem({ token, ...newcomer });
    expect(await listInvitations(desk.signIn, tenantId)).toEqual([]);
    await expect(desk.invite({ tenantId, email: email.toUpperCase() })).rejects.toThrow('already_member');
  });

  it('an invitation can be withdrawn only by the tenant that it belongs to', async () => {
    const { id, tenantId } = await desk.invite();
    const withdraw = (from: bigint) =>
      desk.db.transaction((tx) => withdrawInvitation(desk.signIn, tx, { id, tenantId: from, actorId: null }));
    await expect(withdraw(tenantId + 1000n)).rejects.toThrow('invitation_not_found');
    await withdraw(tenantId);
    expect(desk.events.at(-1)).toMatchObject({ action: 'invitation_withdrawn', tenantId });
  });

  it('an invitation needs a valid e-mail, and a role that the tenant has', async () => {
    await expect(desk.invite({ email: 'no e-mail' })).rejects.toThrow('invalid_parameter');
    await expect(desk.invite({ role: 'administrator' })).rejects.toThrow('invalid_parameter');
    await expect(desk.invite({ tenantId: 0n, role: 'owner' })).rejects.toThrow('invalid_parameter');
    await desk.invite({ tenantId: 0n, role: 'administrator' });
  });

  it('two invitations to one new e-mail create one person, and both can be redeemed', async () => {
    const first = await desk.invite();
    const second = await desk.invite({ email: first.email });
    const answers = await Promise.all([
      desk.redeem({ token: first.token, ...newcomer }),
      desk.redeem({ token: second.token, ...newcomer }),
    ]);
    const refused = answers.filter((answer) => answer.status !== 200);
    for (const answer of refused) expect(outcome(answer)).toEqual([409, 'person_exists']);
    for (const { token } of [first, second]) await desk.redeem({ token, password: newcomer.password });
    const browser = desk.browser();
    await browser.signIn(first.email, newcomer.password);
    expect(await membershipsOf(browser)).toHaveLength(2);
  });
});
