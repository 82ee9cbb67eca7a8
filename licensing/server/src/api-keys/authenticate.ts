// Who is calling: reads the key from wherever the contract lets it travel, and checks its scope.
import type { Throttle } from '@counterfoil/kit/throttle';
import type { FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { type ApiKey, getKeyState, type Scope } from './api-key.ts';
import type { ApiKeyFinder } from './find-api-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    apiKey: ApiKey;
  }
}

export const ApiKeyParameter = Type.Optional(
  Type.String({ description: 'The API key; the header X-Api-Key is the better place.' }),
);

export const apiKeySecurity = [{ apiKeyHeader: [] }, { bearer: [] }, { apiKeyQuery: [] }];

export const securitySchemes = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  bearer: { type: 'http', scheme: 'bearer' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
};

/** Makes the hook that lets a request through only with a live key of that scope. */
export type Authenticate = (scope: Scope) => preValidationAsyncHookHandler;

type KeyFailure =
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_revoked'
  | 'api_key_expired'
  | 'api_key_conflict';

export function createAuthenticate(deps: {
  finder: ApiKeyFinder;
  throttle: Throttle;
  now: () => Date;
}): Authenticate {
  return (scope) => async (request) => {
    const key = await identify(deps.finder, request, deps.now());
    if (typeof key === 'string') throw refuse(deps.throttle, request, key);
    if (!key.scopes.includes(scope)) throw fail('insufficient_scope');
    request.apiKey = key;
    // The key has been read, from any number of places: what is left to validate is one text.
    const query = request.query as Record<string, unknown>;
    if (Array.isArray(query.api_key)) query.api_key = query.api_key[0];
  };
}

async function identify(
  finder: ApiKeyFinder,
  request: FastifyRequest,
  now: Date,
): Promise<ApiKey | KeyFailure> {
  const [secret, ...others] = new Set(collectKeys(request));
  if (secret === undefined) return 'api_key_missing';
  if (others.length > 0) return 'api_key_conflict';
  const key = await finder.find(secret);
  if (!key) return 'api_key_invalid';
  const state = getKeyState(key, now);
  return state === 'active' ? key : `api_key_${state}`;
}

/** Every key that the request carries; an empty one counts as none. */
function collectKeys(request: FastifyRequest): string[] {
  const { authorization } = request.headers;
  const bearer = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1];
  const places = [
    (request.query as Record<string, unknown>).api_key,
    request.headers['x-api-key'],
    bearer,
  ];
  return places.flat().filter((key): key is string => typeof key === 'string' && key !== '');
}

/** Only failures are ever slowed down; a right key passes however many wrong ones came before. */
function refuse(throttle: Throttle, request: FastifyRequest, code: KeyFailure) {
  const counted = throttle.fail(request.ip);
  if (!counted.limited) {
    return fail(code, { headers: { 'www-authenticate': 'Bearer realm="licensing"' } });
  }
  const seconds = counted.retryAfterSeconds;
  return fail('rate_limited', {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"failed-authentications";q=${throttle.perMinute};w=60`,
      ratelimit: `"failed-authentications";r=0;t=${seconds}`,
    },
  });
}
