// The deadline of each operation of the API.
import type { Deadline } from '@counterfoil/kit/http/answer-in-time';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/**
 * The deadline of operations that also wait for the provider: listing games, launching a game, ending a
 * session.
 */
const withProviderMs = deadlineMs(4900);
export const defaultDeadlineMs = deadlineMs(2500);

/**
 * Returns the deadline of a route below `/api/v1/`, and the code of the error that is sent if the deadline is
 * missed. Other routes have no deadline here. For a POST the code is `outcome_unknown`, because the change
 * may still be applied. For any other method the code is `unavailable`.
 */
export function deadlineOf(
  method: string,
  path: string,
  defaultMs = defaultDeadlineMs,
): Deadline | undefined {
  if (!path.startsWith('/api/v1/')) return undefined;
  const asksProvider = /^\/api\/v1\/game\/(?:list|launch|session\/end)$/.test(path);
  return {
    ms: asksProvider ? withProviderMs : defaultMs,
    code: /\bPOST\b/.test(method) ? 'outcome_unknown' : 'unavailable',
  };
}
