// Scripts cannot read the session cookie, browsers do not send it with requests of other sites, and every
// sign-in sets a new one.
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { goodPassword, openSignInDesk, type SignInDesk } from '../testing/sign-in-app.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

describe('the session cookie', () => {
  it('the cookie is HttpOnly, SameSite=Strict, for all paths, and not Secure on plain http', async () => {
    const { email } = await desk.person();
    const answer = await desk.browser().signIn(email);
    expect(answer.headers['set-cookie']).toMatch(
      /^desk=cfs_[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('the cookie is Secure and has the __Host- prefix if the panel is served over https', async () => {
    const secure = await openSignInDesk(inject('testServer'), {
      publicUrl: 'https://panel.example',
    });
    onTestFinished(() => secure.close());
    const { email } = await secure.person();
    const answer = await secure.app.inject({
      method: 'POST',
      url: '/panel/session',
      headers: { origin: 'https://panel.example' },
      payload: { email, password: goodPassword },
    });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-desk=cfs_[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('the session cookie is stored as a hash only', async () => {
    const { id, email } = await desk.person();
    const browser = desk.browser();
    await browser.signIn(email);
    const { rows } = await desk.db.query('select * from sessions where person_id = $1', [id]);
    const token = browser.cookie?.split('=')[1] ?? '';
    expect(token).toMatch(/^cfs_/);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain(token);
  });

  it('the cookie is replaced at sign-in, so that a value set before the sign-in is never used', async () => {
    const { email } = await desk.person();
    const planted = `desk=cfs_${'A'.repeat(43)}`;
    const browser = desk.browser();
    browser.cookie = planted;
    await browser.signIn(email);
    expect(browser.cookie).not.toBe(planted);
    const thief = desk.browser();
    thief.cookie = planted;
    expect((await thief.send('GET', '/panel/session')).body.code).toBe('not_signed_in');
  });

  it('the session cookie is new at every sign-in, and the previous session of the browser ends', async () => {
    const { email } = await desk.person();
    const browser = desk.browser();
    await browser.signIn(email);
    const former = browser.cookie;
    await browser.signIn(email);
    expect(browser.cookie).not.toBe(former);
    const old = desk.browser();
    old.cookie = former;
    expect((await old.send('GET', '/panel/session')).status).toBe(401);
    expect((await browser.send('GET', '/panel/session')).status).toBe(200);
  });
});
