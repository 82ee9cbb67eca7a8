// Rows of `sign_in_failures`: counters that all processes share, each for one time window.
import type { Db } from '@counterfoil/kit/postgres/db';

/** Whether the window has ended or its count is back to 0. The next failure then starts a new window. */
const over = '(f.expires_at <= $3 or f.failures = 0)';

/**
 * Counts one failure and returns the time at which its window ends. Returns undefined if the counter has
 * reached its maximum. A single statement checks and raises the counter, so concurrent guesses cannot all
 * pass the check with the same count.
 */
export async function countFailure(
  db: Db,
  counter: { keyHash: Buffer; max: number; now: Date; expiresAt: Date },
): Promise<Date | undefined> {
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into sign_in_failures as f (key_hash, failures, expires_at) values ($1, 1, $2)
     on conflict (key_hash) do update set
       failures = case when ${over} then 1 else f.failures + 1 end,
       expires_at = case when ${over} then $2 else f.expires_at end
     where ${over} or f.failures < $4
     returning expires_at`,
    [counter.keyHash, counter.expiresAt, counter.now, counter.max],
  );
  return rows[0]?.expires_at;
}

export async function findFailuresEnd(db: Db, keyHash: Buffer): Promise<Date | undefined> {
  const { rows } = await db.query<{ expires_at: Date }>(
    'select expires_at from sign_in_failures where key_hash = $1',
    [keyHash],
  );
  return rows[0]?.expires_at;
}

/** Subtracts one failure, but only if the window in which it was counted has not ended. */
export async function uncountFailure(db: Db, counter: { keyHash: Buffer; expiresAt: Date }): Promise<void> {
  await db.query(
    `update sign_in_failures set failures = failures - 1
     where key_hash = $1 and expires_at = $2 and failures > 0`,
    [counter.keyHash, counter.expiresAt],
  );
}

/** Deletes up to 20 expired rows. One attempt adds fewer than 20 rows, so expired rows do not accumulate. */
export async function deleteExpiredFailures(db: Db, now: Date): Promise<void> {
  await db.query(
    `delete from sign_in_failures where key_hash in (select key_hash from sign_in_failures
       where expires_at <= $1 order by expires_at limit 20 for update skip locked)`,
    [now],
  );
}
