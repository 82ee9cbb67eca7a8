// The deadline of each operation of the API.
import type { Deadline } from '@counterfoil/kit/http/answer-in-time';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/** Listing games, launching them and ending sessions also wait for the provider. */
const withProviderMs = deadlineMs(4900);
export const defaultDeadlineMs = deadlineMs(2500);

/** At its deadline, a read has changed nothing; any other operation may have been applied. */
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
