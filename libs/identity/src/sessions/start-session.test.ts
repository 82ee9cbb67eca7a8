// Signing in accepts valid credentials, and gives the same answer to all wrong credentials.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { unmatchableHash } from '../passwords/password-hasher.ts';
import { goodPassword, openSignInDesk, type SignInDesk } from '../testing/sign-in-app.ts';
import type { SignIn } from './sign-in.ts';
import { startSession } from './start-session.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

let lastAddress = 0;
/** Returns a new IP address for each call, so that the failures of one test do not count in another test. */
const freshAddress = () => `198.51.100.${++lastAddress}`;

const withoutId = ({ request_id: _, ...rest }: object & { request_id?: string }) => rest;

describe('POST /panel/session', () => {
  it('POST /panel/session signs the person in, with the e-mail in any letter case', async () => {
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

  it('wrong credentials of every kind get the same answer, each after one hash check', async () => {
    const known = await desk.person();
    const disabled = await desk.person();
    await desk.db.query('update people set disabled_at = now() where id = $1', [disabled.id]);
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
  ])('POST /panel/session refuses %j as malformed', async (body) => {
    const answer = await desk.browser(freshAddress()).send('POST', '/panel/session', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('POST /panel/session refuses the old password if the password is changed during the check', async () => {
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

  it('POST /panel/session does not count an attempt that was refused because of overload', async () => {
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
