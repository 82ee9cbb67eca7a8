// Authorizes plain requests on the fast path. The router authorizes all other requests.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiKey, getKeyState, hasScope, type Scope } from './api-key.ts';
import type { ApiKeyFinder } from './find-api-key.ts';

export interface FastCallerDeps {
  readonly apiKeys: Pick<ApiKeyFinder, 'peek'>;
  readonly now: () => Date;
}

/** Whether the headers have at most one API key, and nothing else that only the router handles. */
export const isPlainHead = (headers: IncomingHttpHeaders): boolean => {
  const key = headers['x-api-key'];
  return (
    headers.authorization === undefined &&
    // A page of another site needs CORS headers, which only the router sends.
    headers.origin === undefined &&
    // Only the router signs answers.
    headers['x-nonce'] === undefined &&
    !Array.isArray(key) &&
    key !== '' &&
    key?.includes(',') !== true
  );
};

/** Returns a cached active key with this scope, or undefined. The router then decides about the key. */
export function findFastCaller(deps: FastCallerDeps, secret: string, scope: Scope): ApiKey | undefined {
  const apiKey = deps.apiKeys.peek(secret);
  if (!apiKey || getKeyState(apiKey, deps.now()) !== 'active') return undefined;
  return hasScope(apiKey, scope) ? apiKey : undefined;
}
