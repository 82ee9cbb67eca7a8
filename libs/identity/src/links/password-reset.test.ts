// A link for a password reset sets a new password and ends all sessions. The second factor stays on.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { goodPassword, openSignInDesk, outcome, type SignInDesk, tokenOf } from '../testing/sign-in-app.ts';
import { createPasswordResetLink } from './link.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const resetLink = async (email: string) => {
  const link = await desk.db.transaction((tx) => createPasswordResetLink(desk.signIn, tx, { email }));
  return { ...link, token: tokenOf(link.url) };
};

describe('a password reset', () => {
  const password = 'quite another password';

  it('a password reset sets the password, ends all sessions, and signs nobody in', async () => {
    const { email } = await desk.person();
    const browser = desk.browser();
    await browser.signIn(email);
    const { token } = await resetLink(email);
    const answer = await desk.redeem({ token, password });
    expect(answer.body.data).toEqual({ purpose: 'password_reset', email, signed_in: false });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await browser.send('GET', '/panel/session')).status).toBe(401);
    expect((await desk.browser().signIn(email)).body.code).toBe('sign_in_failed');
    expect((await desk.browser().signIn(email, password)).status).toBe(200);
    expect(outcome(await desk.redeem({ token, password }))).toEqual([404, 'link_invalid']);
  });

  it('a password reset does not turn off the second factor', async () => {
    const { id, email } = await desk.person();
    await desk.db.query(`update people set totp_sealed = '\\x00', totp_confirmed_at = now() where id = $1`, [
      id,
    ]);
    const { token } = await resetLink(email);
    await desk.redeem({ token, password });
    const answer = await desk.browser().signIn(email, password);
    expect(answer.body.code).toBe('second_factor_required');
  });

  it('a password reset sets the first password of a person who has none', async () => {
    const { id, email } = await desk.person();
    await desk.db.query('update people set password_hash = null where id = $1', [id]);
    const { token } = await resetLink(email);
    expect((await desk.redeem({ token, password })).status).toBe(200);
    expect((await desk.browser().signIn(email, password)).status).toBe(200);
  });

  it('a password reset refuses a weak password and a missing password', async () => {
    const { email } = await desk.person();
    const { token } = await resetLink(email);
    expect((await desk.redeem({ token, password: email })).body.code).toBe('password_refused');
    expect((await desk.redeem({ token })).body.errors).toEqual({ password: ['is required.'] });
    expect((await desk.redeem({ token, password })).status).toBe(200);
  });

  it('a newer link, a password change or disabling the person makes a reset link invalid', async () => {
    const { id, email } = await desk.person();
    const older = await resetLink(email);
    const newer = await resetLink(email);
    expect((await desk.redeem({ token: older.token, password })).body.code).toBe('link_invalid');
    const browser = desk.browser();
    await browser.signIn(email);
    await browser.send('POST', '/panel/password', {
      current_password: goodPassword,
      new_password: password,
    });
    expect((await desk.redeem({ token: newer.token, password })).body.code).toBe('link_invalid');
    const last = await resetLink(email);
    await desk.db.query('update people set disabled_at = now() where id = $1', [id]);
    expect((await desk.redeem({ token: last.token, password })).body.code).toBe('link_invalid');
  });

  it('no link for a password reset is created for an unknown e-mail', async () => {
    await expect(resetLink('nobody@example.com')).rejects.toThrow('person_not_found');
  });
});
