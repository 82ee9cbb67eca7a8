// Session fixation fails, because signing in always creates a new session.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  givenLicensing,
  type Given as LicensingGiven,
} from '../../../../services/licensing/server/test/environment/given.ts';
import {
  givenWallet,
  type Given as WalletGiven,
} from '../../../../services/wallet/server/test/environment/given.ts';
import { makePerson, password } from './target.ts';

describe.each([
  ['counterfoil_licensing', () => givenLicensing()],
  ['counterfoil_wallet', () => givenWallet()],
] as const)('the panel with the session cookie %s', (name, open) => {
  let given: LicensingGiven | WalletGiven;
  beforeAll(async () => {
    given = await open();
  });
  afterAll(() => given.close());

  const post = async (cookie: string, email: string) =>
    await given.app.inject({
      method: 'POST',
      url: '/panel/session',
      headers: { origin: given.config.publicUrl, cookie },
      payload: { email, password },
    });
  const whoIs = async (cookie: string) =>
    (await given.app.inject({ url: '/panel/session', headers: { cookie } })).statusCode;

  it('signing in replaces a planted session cookie, and the planted cookie is refused', async () => {
    const { email } = await makePerson(given.db, []);
    const planted = `${name}=cfs_${'A'.repeat(43)}`;
    const answer = await post(planted, email);
    expect(answer.statusCode).toBe(200);
    const made = String(answer.headers['set-cookie']);
    expect(made).toMatch(/; HttpOnly/i);
    expect(made).toMatch(/; SameSite=(?:Lax|Strict)/i);
    expect(made.split(';')[0]).not.toBe(planted);
    expect(await whoIs(planted)).toBe(401);
    expect(await whoIs(made.split(';')[0] ?? '')).toBe(200);
  });

  it('each sign-in creates a new session, and a request with two invalid cookies is refused', async () => {
    const { email } = await makePerson(given.db, []);
    const first = String((await post('', email)).headers['set-cookie']).split(';')[0] ?? '';
    const second = String((await post(first, email)).headers['set-cookie']).split(';')[0] ?? '';
    expect(second).not.toBe(first);
    expect(await whoIs(`${name}=x; ${name}=y`)).toBe(401);
  });

  it('the service refuses a session cookie that was altered', async () => {
    const { email } = await makePerson(given.db, []);
    const made = String((await post('', email)).headers['set-cookie']).split(';')[0] ?? '';
    for (const wrong of [`${made}x`, made.slice(0, -1), made.toUpperCase(), `${made}%00`]) {
      expect(await whoIs(wrong), wrong).toBe(401);
    }
  });
});
