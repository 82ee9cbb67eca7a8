// One-time links have a secret token, are valid for a day, and can be redeemed once.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openSignInDesk, publicUrl, type SignInDesk, tokenOf } from '../testing/sign-in-app.ts';
import { withdrawInvitation } from './invitations.ts';
import { createPasswordResetLink } from './link.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const day = 24 * 3_600_000;
const newcomer = { name: 'Grace Hopper', password: 'a new and long password' };
const inspect = (token: string) => desk.browser().send('POST', '/panel/links/inspect', { token });
const resetLink = async (email: string) => {
  const link = await desk.db.transaction((tx) => createPasswordResetLink(desk.signIn, tx, { email }));
  return { ...link, token: tokenOf(link.url) };
};

describe('a link', () => {
  it('a link has its token after a #, and the token is in no log and no table', async () => {
    const invitation = await desk.invite();
    expect(invitation.url).toMatch(/^http:\/\/panel\.example:4100\/welcome#token=cfl_[\w-]{43}$/);
    expect(invitation.url.startsWith(publicUrl)).toBe(true);
    const { email } = await desk.person();
    const reset = await resetLink(email);
    expect(reset.url).toMatch(/^http:\/\/panel\.example:4100\/reset#token=cfl_[\w-]{43}$/);
    for (const token of [invitation.token, reset.token]) {
      expect((await inspect(token)).status).toBe(200);
      expect((await desk.redeem({ token, ...newcomer })).status).toBe(200);
    }
    const later = await desk.invite();
    const rows = await dumpRows(desk.db);
    expect(rows).toContain('one_time_links (');
    expect(desk.logLines.length).toBeGreaterThan(0);
    const all = rows + desk.logLines.join();
    for (const token of [invitation.token, reset.token, later.token]) expect(all).not.toContain(token);
  });

  it('a link can be inspected any number of times before it is redeemed', async () => {
    const { token, tenantId, email } = await desk.invite({ role: 'owner' });
    const data = { purpose: 'invitation', email, tenant_id: Number(tenantId), role: 'owner' };
    for (let i = 0; i < 2; i++) {
      expect((await inspect(token)).body.data).toEqual({ ...data, person_exists: false });
    }
    const person = await desk.person();
    const reset = await resetLink(person.email);
    expect((await inspect(reset.token)).body.data).toEqual({
      purpose: 'password_reset',
      email: person.email,
      person_exists: true,
    });
  });

  it('used, expired, withdrawn, replaced and unknown links all get the same answer', async () => {
    const used = await desk.invite();
    await desk.redeem({ token: used.token, ...newcomer });
    const withdrawn = await desk.invite();
    await desk.db.transaction((tx) => withdrawInvitation(desk.signIn, tx, { ...withdrawn, actorId: null }));
    const superseded = await desk.invite();
    await desk.invite({ email: superseded.email.toUpperCase(), tenantId: superseded.tenantId });
    const expired = await desk.invite();
    desk.advance(day - 1);
    expect((await inspect(expired.token)).status).toBe(200);
    desk.advance(1);
    const tokens = [used, withdrawn, superseded, expired].map((link) => link.token);
    for (const token of [...tokens, `cfl_${'A'.repeat(43)}`, 'x', 'cfl_\u0000']) {
      for (const answer of [await inspect(token), await desk.redeem({ token, ...newcomer })]) {
        expect({ ...answer.body, request_id: '' }).toEqual({
          status: 'error',
          code: 'link_invalid',
          msg: 'This link was used already, has expired or never existed',
          request_id: '',
          retryable: false,
        });
        expect(answer.status).toBe(404);
      }
    }
  });

  it('a link can be redeemed by only one of twenty concurrent requests', async () => {
    const { token, email } = await desk.invite();
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.redeem({ token, ...newcomer })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === 'link_invalid')).toHaveLength(19);
    const { rows } = await desk.db.query('select 1 from people where email = $1', [email]);
    expect(rows).toHaveLength(1);
  });

  it('an expired link is deleted when another link is created', async () => {
    await desk.invite();
    desk.advance(day);
    await desk.invite();
    const { rows } = await desk.db.query('select 1 from one_time_links where expires_at <= $1', [
      desk.signIn.now(),
    ]);
    expect(rows).toEqual([]);
  });
});
