// How quiet an old key has become: full after an hour without a use.
import type { ApiKey } from '../wire.ts';

const quietMs = 3_600_000;

export function measureQuiet(key: Pick<ApiKey, 'last_used'>, nowMs: number) {
  if (!key.last_used) return { part: 1, isSafe: true, isUnused: true };
  const passedMs = Math.max(0, nowMs - Date.parse(key.last_used.at));
  return {
    part: Math.min(1, passedMs / quietMs),
    isSafe: passedMs >= quietMs,
    isUnused: false,
  };
}
