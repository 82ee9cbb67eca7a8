// The deadline of each operation of the API, by which it is answered in any case.
import type { Deadline } from '@counterfoil/kit/http/answer-in-time';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/** Listing and launching wait for the provider as well. */
const withProviderMs = deadlineMs(4900);
export const defaultMs = deadlineMs(2500);

/** A late read has changed nothing; any other late operation may have been applied. */
export function deadlineOf(method: string, path: string): Deadline | undefined {
  if (!path.startsWith('/api/v1/')) return undefined;
  const asksProvider = /^\/api\/v1\/game\/(?:list|launch|session\/end)$/.test(path);
  return {
    ms: asksProvider ? withProviderMs : defaultMs,
    code: /\bPOST\b/.test(method) ? 'outcome_unknown' : 'unavailable',
  };
}
