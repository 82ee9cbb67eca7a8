// Limits guessing of passwords and codes. Every attempt is first counted as a failure. If the attempt was
// right, it is subtracted again.

import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { networkOf } from '@counterfoil/kit/http/network';
import { rateLimitHeaders } from '@counterfoil/kit/http/throttle';
import type { SignIn } from '../sessions/sign-in.ts';
import { countFailure, deleteExpiredFailures, findFailuresEnd, uncountFailure } from '../store/failures.ts';

interface Limit {
  readonly policy: string;
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

export type Attempt = Awaited<ReturnType<typeof countAttempt>>;

const quarterHourMs = 15 * 60_000;
const hourMs = 60 * 60_000;

/**
 * The limits of sign-in attempts within 15 minutes:
 * - The first limit is per e-mail and network. An attacker who guesses passwords blocks only the attacker's
 *   own network. The person can still sign in from another network.
 * - The second limit is per network, because an attacker may try many e-mails from one network.
 * - The third limit is per e-mail, over all networks. One network can add at most ten failures to it, so an
 *   attacker needs fifty networks to reach it. The limit allows 48,000 guesses per day.
 *
 * If an earlier limit refuses an attempt, the attempt does not count towards the later limits.
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

/** The limit for requests of a password reset, which send mail to other people. */
export const resetLimits = (address: string): readonly Limit[] => [
  { policy: 'password-resets', key: `resets from ${networkOf(address)}`, max: 20, windowMs: hourMs },
];

/**
 * The limit for entering the password again during a session. It is needed because the session may be stolen.
 */
export const passwordLimits = (personId: bigint): readonly Limit[] => [
  { policy: 'password-attempts', key: `password ${personId}`, max: 10, windowMs: quarterHourMs },
];

/**
 * The limit for codes of the second factor. At any time, three of the million possible codes are valid. An
 * attacker who knows the password has ten guesses per hour. The chance of a right guess is 1 in 1,400 per
 * day. The limit is per person and counts the guesses from all networks together.
 */
export const secondFactorLimits = (personId: bigint): readonly Limit[] => [
  { policy: 'second-factor-attempts', key: `second factor ${personId}`, max: 10, windowMs: hourMs },
];

/**
 * Counts an attempt. Throws `rate_limited` if one of the limits is reached; the attempt is then not counted.
 */
export async function countAttempt(signIn: SignIn, limits: readonly Limit[]) {
  const { db } = signIn;
  const now = signIn.now();
  await deleteExpiredFailures(db, now);
  const counted: { keyHash: Buffer; expiresAt: Date }[] = [];
  /** Removes the attempt from the count. Call it if the password or code was right, or was not checked. */
  const giveBack = async (): Promise<void> => {
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
