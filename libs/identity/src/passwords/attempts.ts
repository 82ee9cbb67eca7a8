// Limits guessing: an attempt is counted before it is checked, and uncounted if it was right.

import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { networkOf } from '@counterfoil/kit/http/network';
import { rateLimitHeaders } from '@counterfoil/kit/http/throttle';
import type { SignIn } from '../sessions/sign-in.ts';
import {
  countFailure,
  deleteExpiredFailures,
  findFailuresEnd,
  uncountFailure,
} from '../store/failures.ts';

interface Limit {
  readonly policy: string;
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

export interface Attempt {
  /** The attempt was no failure after all. */
  giveBack(): Promise<void>;
}

const quarterHourMs = 15 * 60_000;
const hourMs = 60 * 60_000;

/**
 * An e-mail is limited per network it is tried from, so that whoever hammers it locks out only
 * themselves: the right password from elsewhere gets in. The limit over all networks is far above
 * what one of them can reach (fifty must work together), yet holds a botnet to 48,000 guesses a
 * day. The limit per network is for one source that tries many e-mails.
 * In this order: what the first refuses is not counted against the others.
 */
export const signInLimits = (input: { email: string; address: string }): readonly Limit[] => {
  const network = networkOf(input.address);
  const policy = 'sign-in-attempts';
  return [
    { policy, key: `pair ${network} ${input.email}`, max: 10, windowMs: quarterHourMs },
    { policy, key: `network ${network}`, max: 50, windowMs: quarterHourMs },
    { policy, key: `email ${input.email}`, max: 500, windowMs: quarterHourMs },
  ];
};

/** For someone who holds a session already, perhaps a stolen one. */
export const passwordLimits = (personId: bigint): readonly Limit[] => [
  { policy: 'password-attempts', key: `password ${personId}`, max: 10, windowMs: quarterHourMs },
];

/**
 * Three codes in a million are right at any time. Ten guesses an hour, and only for someone who
 * knows the password, make that one chance in 1,400 a day; so this limit has no way around it.
 */
export const secondFactorLimits = (personId: bigint): readonly Limit[] => [
  { policy: 'second-factor-attempts', key: `second factor ${personId}`, max: 10, windowMs: hourMs },
];

/** Throws `rate_limited` when one of the limits is reached; nothing is counted then. */
export async function countAttempt(signIn: SignIn, limits: readonly Limit[]): Promise<Attempt> {
  const { db } = signIn;
  const now = signIn.now();
  await deleteExpiredFailures(db, now);
  const counted: { keyHash: Buffer; expiresAt: Date }[] = [];
  const giveBack = async () => {
    for (const counter of counted.splice(0)) await uncountFailure(db, counter);
  };
  for (const limit of limits) {
    const { key, max, windowMs } = limit;
    const keyHash = hashSecret(signIn.masterKey, `sign-in failures of ${key}`);
    const wanted = { keyHash, max, now, expiresAt: new Date(now.getTime() + windowMs) };
    const expiresAt = await countFailure(db, wanted);
    if (!expiresAt) {
      await giveBack();
      throw await refuse(signIn, limit, { keyHash, now });
    }
    counted.push({ keyHash, expiresAt });
  }
  return { giveBack };
}

async function refuse(
  signIn: SignIn,
  { policy, max, windowMs }: Limit,
  { keyHash, now }: { keyHash: Buffer; now: Date },
): Promise<Error> {
  const end = await findFailuresEnd(signIn.db, keyHash);
  const seconds = Math.ceil(((end ?? now).getTime() - now.getTime()) / 1000);
  return signIn.errors.fail('rate_limited', {
    headers: rateLimitHeaders({
      policy,
      max,
      windowSeconds: windowMs / 1000,
      retryAfterSeconds: Math.max(1, seconds),
    }),
  });
}
