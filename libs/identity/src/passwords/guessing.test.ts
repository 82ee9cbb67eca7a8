// Guessing passwords is limited, but the person whose password is guessed is not locked out.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openSignInDesk, type SignInDesk } from '../testing/sign-in-app.ts';
import { countAttempt, signInLimits } from './attempts.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const minute = 60_000;
let lastAddress = 0;
/** Returns a new IP address for each call, so that the failures of one test do not count in another test. */
const freshAddress = () => `198.51.100.${++lastAddress}`;

describe('guessing', () => {
  const fail = async (times: number, email: string, address: string) => {
    const statuses = [];
    for (let i = 0; i < times; i++) {
      statuses.push((await desk.browser(address).signIn(email, 'a wrong password')).status);
    }
    return statuses;
  };

  it('after ten wrong guesses, even the right password is refused until the window ends', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    expect(await fail(10, email, address)).toEqual(Array(10).fill(401));
    desk.advance(5 * minute);
    const before = desk.verifications();
    const limited = await desk.browser(address).signIn(email);
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
    expect(limited.body.msg).toBe('Too many requests');
    expect(limited.headers).toMatchObject({
      'retry-after': '600',
      ratelimit: '"sign-in-attempts";r=0;t=600',
      'ratelimit-policy': '"sign-in-attempts";q=10;w=900',
    });
    expect(desk.verifications()).toBe(before);
    desk.advance(10 * minute);
    expect((await desk.browser(address).signIn(email)).status).toBe(200);
  });

  it('guesses from another network do not lock the person out', async () => {
    const { email } = await desk.person();
    const attacker = freshAddress();
    await fail(10, email, attacker);
    // 500 failures would block the e-mail in every network. The test makes 600 attempts, but all of them are
    // refused, and refused attempts do not count as failures.
    const limits = signInLimits({ email, address: attacker });
    const refused = await Promise.allSettled(
      Array.from({ length: 600 }, () => countAttempt(desk.signIn, limits)),
    );
    expect(refused.filter(({ status }) => status === 'rejected')).toHaveLength(600);
    expect(await fail(1, email, attacker)).toEqual([429]);
    expect((await desk.browser(freshAddress()).signIn(email)).status).toBe(200);
  });

  it('500 failures from 50 networks block an e-mail in all networks; 490 failures do not', async () => {
    const { email } = await desk.person();
    const failFrom = (network: number) =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          countAttempt(desk.signIn, signInLimits({ email, address: `10.0.0.${network}` })),
        ),
      );
    await Promise.all(Array.from({ length: 49 }, (_, i) => failFrom(i + 1)));
    expect((await desk.browser(freshAddress()).signIn(email)).status).toBe(200);
    await failFrom(50);
    expect((await desk.browser(freshAddress()).signIn(email)).status).toBe(429);
    desk.advance(15 * minute);
    expect((await desk.browser(freshAddress()).signIn(email)).status).toBe(200);
  });

  it('a network is refused after fifty failures, even if each was for a different e-mail', async () => {
    const address = freshAddress();
    await fail(1, 'many@example.com', address);
    for (let i = 0; i < 49; i++) {
      const limits = signInLimits({ email: `many${i}@example.com`, address });
      await countAttempt(desk.signIn, limits);
    }
    const { email } = await desk.person();
    desk.advance(14 * minute);
    for (let i = 0; i < 11; i++) {
      expect((await desk.browser(address).signIn(email)).body.code).toBe('rate_limited');
    }
    // The attempts that were refused because of the network did not count towards the limit of the e-mail.
    desk.advance(minute);
    expect((await desk.browser(address).signIn(email)).status).toBe(200);
  });

  it('failures from all addresses of one IPv6 network count together', async () => {
    const { email } = await desk.person();
    for (let i = 0; i < 10; i++) await fail(1, email, `2001:db8:5:5::${i + 1}`);
    expect(await fail(1, email, '2001:db8:5:5:ffff::9')).toEqual([429]);
    expect(await fail(1, email, '2001:db8:5:6::9')).toEqual([401]);
  });

  it('of fifty concurrent wrong guesses, ten are checked and forty are refused', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => desk.browser(address).signIn(email, 'a wrong password')),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(40);
  });

  it('a successful sign-in does not count as a guess', async () => {
    const { email } = await desk.person();
    const address = freshAddress();
    for (let i = 0; i < 15; i++) {
      expect((await desk.browser(address).signIn(email)).status).toBe(200);
    }
    expect(await fail(10, email, address)).toEqual(Array(10).fill(401));
  });

  it('only hashes of e-mails and IP addresses are stored, and expired rows are deleted', async () => {
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
