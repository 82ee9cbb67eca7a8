// Signing in: who gets in, what everyone else is told, and how guessing is slowed down.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { disablePerson } from './disable-person.ts';
import { unmatchableHash } from './password-hasher.ts';
import type { SignIn } from './sign-in.ts';
import { startSession } from './start-session.ts';
import { goodPassword, openSignInDesk, type SignInDesk } from './testing.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const minute = 60_000;
let lastAddress = 0;
/** An address of one's own, so that no test meets another's failures. */
const freshAddress = () => `198.51.100.${++lastAddress}`;

const withoutId = ({ request_id: _, ...rest }: object & { request_id?: string }) => rest;

describe('POST /panel/session', () => {
  it('signs in with e-mail in any case and password, and tells who one is', async () => {
    const person = await desk.person({
      email: 'ada@example.com',
      memberships: [{ tenantId: 7n, role: 'owner' }],
    });
    const browser = desk.browser(freshAddress());
    const answer = await browser.signIn('Ada@Example.COM');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'success', data: { signed_in: true } });
    expect(answer.body.request_id).toMatch(/^req_/);
    const me = await browser.send('GET', '/panel/session');
    expect(me.body.data).toEqual({
      person: { id: Number(person.id), email: 'ada@example.com', name: 'Ada Byron' },
      memberships: [{ tenant_id: 7, role: 'owner' }],
      second_factor: false,
      recovery_codes_left: 0,
    });
    expect(desk.events.at(-1)).toMatchObject({ action: 'signed_in', personId: person.id });
  });

  it('answers an unknown e-mail, a wrong password, a disabled person and one without a password alike, after the same work', async () => {
    const known = await desk.person();
    const disabled = await desk.person();
    await desk.db.transaction((tx) =>
      disablePerson(desk.signIn, tx, { personId: disabled.id, actorId: null }),
    );
    const unset = await desk.person();
    await desk.db.query('update people set password_hash = null where id = $1', [unset.id]);
    const attempts = [
      { email: 'nobody@example.com', password: goodPassword },
      { email: known.email, password: 'not the password' },
      { email: disabled.email, password: goodPassword },
      { email: unset.email, password: goodPassword },
    ];
    const seen = [];
    for (const { email, password } of attempts) {
      const before = desk.verifications();
      const answer = await desk.browser(freshAddress()).signIn(email, password);
      const { 'x-request-id': _, date: __, ...headers } = answer.headers;
      const work = desk.verifications() - before;
      seen.push({ status: answer.status, body: withoutId(answer.body), headers, work });
    }
    expect(seen[0]).toMatchObject({ status: 401, body: { code: 'sign_in_failed' }, work: 1 });
    expect(seen.slice(1)).toEqual([seen[0], seen[0], seen[0]]);
    expect(seen[0]?.headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    {},
    { email: 'a@b.example' },
    { email: 'no e-mail', password: 'x' },
    { email: 'a\u0000@b.example', password: 'x' },
    { email: '\ud800@b.example', password: 'x' },
    { email: ['a@b.example'], password: 'x' },
    { email: 'a@b.example', password: 'x', code: 123456 },
    { email: 'a@b.example', password: 'x'.repeat(1001) },
  ])('refuses %j as malformed', async (body) => {
    const answer = await desk.browser(freshAddress()).send('POST', '/panel/session', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('lets nobody in with a password that was changed while it was being checked', async () => {
    const { id, email } = await desk.person();
    const { signIn } = desk;
    const slow: SignIn = {
      ...signIn,
      passwords: {
        ...signIn.passwords,
        verify: async (encoded, password) => {
          const matches = await signIn.passwords.verify(encoded, password);
          const change = 'update people set password_hash = $2 where id = $1';
          await desk.db.query(change, [id, unmatchableHash]);
          return matches;
        },
      },
    };
    const browser = { address: freshAddress(), userAgent: '', token: undefined };
    const input = { email, password: goodPassword, code: undefined, browser };
    await expect(startSession(slow, input)).rejects.toThrow('sign_in_failed');
  });

  it('does not count an attempt that it was too busy to judge', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    const busy: SignIn = {
      ...desk.signIn,
      passwords: {
        ...desk.signIn.passwords,
        verify: () => Promise.reject(desk.signIn.errors.fail('overloaded')),
      },
    };
    const browser = { address, userAgent: '', token: undefined };
    const input = { email, password: goodPassword, code: undefined, browser };
    for (let i = 0; i < 15; i++) {
      await expect(startSession(busy, input)).rejects.toThrow('overloaded');
    }
    expect((await desk.browser(address).signIn(email)).status).toBe(200);
  });
});

describe('the session cookie', () => {
  it('is HttpOnly, SameSite=Strict, for all paths, and not Secure on plain http', async () => {
    const { email } = await desk.person();
    const answer = await desk.browser(freshAddress()).signIn(email);
    expect(answer.headers['set-cookie']).toMatch(
      /^desk=cfs_[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is Secure and bound to its host when the panel is served by https', async () => {
    const secure = await openSignInDesk(inject('testServer'), {
      publicUrl: 'https://panel.example',
    });
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
    await secure.close();
  });

  it('is kept as a hash only', async () => {
    const { id, email } = await desk.person();
    const browser = desk.browser(freshAddress());
    await browser.signIn(email);
    const { rows } = await desk.db.query('select * from sessions where person_id = $1', [id]);
    const token = browser.cookie?.split('=')[1] ?? '';
    expect(token).toMatch(/^cfs_/);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain(
      token,
    );
  });

  it('planted before the sign-in is never taken over', async () => {
    const { email } = await desk.person();
    const planted = `desk=cfs_${'A'.repeat(43)}`;
    const browser = desk.browser(freshAddress());
    browser.cookie = planted;
    await browser.signIn(email);
    expect(browser.cookie).not.toBe(planted);
    const thief = desk.browser(freshAddress());
    thief.cookie = planted;
    expect((await thief.send('GET', '/panel/session')).body.code).toBe('not_signed_in');
  });

  it('is a new one at every sign-in, and the browser’s former session ends', async () => {
    const { email } = await desk.person();
    const browser = desk.browser(freshAddress());
    await browser.signIn(email);
    const former = browser.cookie;
    await browser.signIn(email);
    expect(browser.cookie).not.toBe(former);
    const old = desk.browser(freshAddress());
    old.cookie = former;
    expect((await old.send('GET', '/panel/session')).status).toBe(401);
    expect((await browser.send('GET', '/panel/session')).status).toBe(200);
  });
});

describe('guessing', () => {
  const fail = async (times: number, email: string, address: string) => {
    const statuses = [];
    for (let i = 0; i < times; i++) {
      statuses.push((await desk.browser(address).signIn(email, 'a wrong password')).status);
    }
    return statuses;
  };

  it('is refused after ten failures, even with the right password, until the window is over', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    expect(await fail(10, email, address)).toEqual(Array(10).fill(401));
    desk.advance(5 * minute);
    const before = desk.verifications();
    const limited = await desk.browser(address).signIn(email);
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
    expect(limited.headers['retry-after']).toBe('600');
    expect(desk.verifications()).toBe(before);
    desk.advance(10 * minute);
    expect((await desk.browser(address).signIn(email)).status).toBe(200);
  });

  it('from elsewhere does not lock the person out, however long it goes on', async () => {
    const { email } = await desk.person();
    const attacker = freshAddress();
    await fail(10, email, attacker);
    expect(await fail(600, email, attacker)).toEqual(Array(600).fill(429));
    expect((await desk.browser(freshAddress()).signIn(email)).status).toBe(200);
  });

  it('of many e-mails from one address is refused after fifty failures', async () => {
    const address = freshAddress();
    for (let i = 0; i < 10; i++) await fail(5, `many${i}@example.com`, address);
    const { email } = await desk.person();
    expect((await desk.browser(address).signIn(email)).body.code).toBe('rate_limited');
  });

  it('from all addresses of one IPv6 network counts together', async () => {
    const { email } = await desk.person();
    for (let i = 0; i < 10; i++) await fail(1, email, `2001:db8:5:5::${i + 1}`);
    expect(await fail(1, email, '2001:db8:5:5:ffff::9')).toEqual([429]);
    expect(await fail(1, email, '2001:db8:5:6::9')).toEqual([401]);
  });

  it('fifty times at the same moment gets ten guesses, not fifty', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => desk.browser(address).signIn(email, 'a wrong password')),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(40);
  });

  it('is not what signing in rightly is: that counts nowhere', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    for (let i = 0; i < 15; i++) {
      expect((await desk.browser(address).signIn(email)).status).toBe(200);
    }
    expect(await fail(10, email, address)).toEqual(Array(10).fill(401));
  });

  it('leaves neither e-mails nor addresses in its table, and the table is pruned', async () => {
    desk.advance(60 * minute);
    for (let i = 0; i < 8; i++) await fail(1, `prune${i}@example.com`, freshAddress());
    desk.advance(60 * minute);
    for (let i = 0; i < 20; i++) await desk.browser(freshAddress()).signIn('last@example.com', 'x');
    const { rows } = await desk.db.query<{ key_hash: Buffer; expires_at: Date }>(
      'select key_hash, expires_at from sign_in_failures',
    );
    expect(rows.every((row) => row.key_hash.length === 32)).toBe(true);
    expect(rows.filter((row) => row.expires_at <= desk.signIn.now())).toEqual([]);
  });
});
