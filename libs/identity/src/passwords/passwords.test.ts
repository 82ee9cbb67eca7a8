// A signed-in person changes the password, or must enter it again for a sensitive operation.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSignIn } from '../sessions/sign-in.ts';
import { startSession } from '../sessions/start-session.ts';
import { type Browser, goodPassword, openSignInDesk, type SignInDesk } from '../testing/sign-in-app.ts';
import { requirePassword } from './check-password.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const minute = 60_000;

const signedIn = async () => {
  const person = await desk.person();
  const browser = desk.browser();
  await browser.signIn(person.email);
  return { person, browser };
};
const status = async (browser: Browser) => (await browser.send('GET', '/panel/session')).status;

describe('changing the password', () => {
  const wanted = 'another good password';
  const change = (browser: Browser, current: string, next = wanted) =>
    browser.send('POST', '/panel/password', { current_password: current, new_password: next });

  it('a changed password ends all other sessions; the current browser gets a new session', async () => {
    const { person, browser } = await signedIn();
    const other = desk.browser();
    await other.signIn(person.email);
    const stolen = desk.browser();
    stolen.cookie = browser.cookie;
    expect((await change(browser, goodPassword)).status).toBe(200);
    expect(await Promise.all([browser, other, stolen].map(status))).toEqual([200, 401, 401]);
    expect((await desk.browser().signIn(person.email)).body.code).toBe('sign_in_failed');
    expect((await desk.browser().signIn(person.email, wanted)).status).toBe(200);
    expect(desk.events.some((event) => event.action === 'password_changed')).toBe(true);
  });

  it('changing the password needs the current password, and refuses a weak new password', async () => {
    const { person, browser } = await signedIn();
    const wrong = await change(browser, 'not the password');
    expect([wrong.status, wrong.body.code]).toEqual([403, 'password_wrong']);
    const poor = await change(browser, goodPassword, 'short');
    expect([poor.status, poor.body.code]).toEqual([400, 'password_refused']);
    expect(poor.body.errors).toEqual({ new_password: ['must have at least 10 characters.'] });
    expect((await desk.browser().signIn(person.email)).status).toBe(200);
  });

  it('changing the password without a session is refused before the body is checked', async () => {
    const answer = await desk.browser().send('POST', '/panel/password', {});
    expect(answer.body.code).toBe('not_signed_in');
  });
});

describe('requirePassword', () => {
  it('requirePassword accepts the right password, but refuses it after ten wrong passwords', async () => {
    const { id } = await desk.person();
    const ask = (password: string) => requirePassword(desk.signIn, { personId: id, password });
    await ask(goodPassword);
    for (let i = 0; i < 10; i++) await expect(ask('wrong')).rejects.toThrow('password_wrong');
    await expect(ask(goodPassword)).rejects.toThrow('rate_limited');
    desk.advance(15 * minute);
    await ask(goodPassword);
  });
});

it('a sign-in starts no session if the audit log cannot record the sign-in', async () => {
  const person = await desk.person();
  const { db, errors, masterKey } = desk.signIn;
  const broken = createSignIn({
    db,
    errors,
    masterKey,
    publicUrl: 'http://x.example',
    cookieName: 'x',
    serviceName: 'x',
    onAudit: () => Promise.reject(new Error('the log is full')),
  });
  const browser = { address: '192.0.2.1', userAgent: '', token: undefined };
  const input = { email: person.email, password: goodPassword, code: undefined, browser };
  await expect(startSession(broken, input)).rejects.toThrow('the log is full');
  const { rows } = await db.query('select 1 from sessions where person_id = $1', [person.id]);
  expect(rows).toEqual([]);
});
