// By when each operation of the API is answered, whatever it waits for.
import type { Deadline } from '@counterfoil/kit/http/answer-in-time';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/** Listing and launching wait for the provider as well. */
const withProviderMs = deadlineMs(4900);
export const usualMs = deadlineMs(2500);

/** What only reads has surely changed nothing; anything else may have been applied. */
export function deadlineOf(method: string, path: string): Deadline | undefined {
  if (!path.startsWith('/api/v1/')) return undefined;
  const asksProvider = /^\/api\/v1\/game\/(?:list|launch|session\/end)$/.test(path);
  return {
    ms: asksProvider ? withProviderMs : usualMs,
    code: /\bPOST\b/.test(method) ? 'outcome_unknown' : 'unavailable',
  };
}
