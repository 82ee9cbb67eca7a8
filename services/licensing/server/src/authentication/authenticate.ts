// Who is calling: reads the key from wherever the contract lets it travel, and checks its scope.
import type { App } from '@counterfoil/kit/http/app';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { networkOf } from '@counterfoil/kit/http/network';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type {
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { refuseTooMany } from '../wire/refusals.ts';
import { type ApiKey, getKeyState, publishableScopes, type Scope } from './api-key.ts';
import type { ApiKeyFinder } from './find-api-key.ts';
import { collectEarlyKeys, conflict, unite } from './sent-keys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    apiKey: ApiKey;
    /** The key's text as it came before the body, for comparing with what the body says. */
    earlyKey: string | undefined;
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

/** Fields that requests get later; named early, they keep one shape. */
export function decorateRequests(app: App): void {
  app.decorateRequest('apiKey');
  app.decorateRequest('earlyKey');
  app.decorateRequest('bodyType');
  app.decorateRequest('seller');
}

/** What the guard must know of a body that has been read. */
export interface BodyView {
  readonly listKeys: (request: FastifyRequest) => readonly unknown[];
  /** PublishedPurchase at once only where nothing but the body could have brought a key. */
  readonly findFault: (request: FastifyRequest) => Error | undefined;
}

export interface Authenticate {
  /**
   * The hook that lets a request through only with a live key of that scope. It needs no body, so
   * where there may be one it stands before the reading of it (`onRequest`).
   */
  (scope: Scope): (request: FastifyRequest) => Promise<void>;
  /**
   * The same where a body may carry the key too: a key in the query or a header is judged before
   * the body is read, and must agree with the body's.
   */
  withBody(
    scope: Scope,
    body: BodyView,
  ): { onRequest: onRequestHookHandler; preValidation: preValidationHookHandler };
}

type KeyFailure =
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_revoked'
  | 'api_key_expired'
  | 'api_key_conflict';

interface Deps {
  readonly finder: ApiKeyFinder;
  readonly throttle: Throttle;
  readonly now: () => Date;
}

export function createAuthenticate(deps: Deps): Authenticate {
  const plain = (scope: Scope) => {
    const check = promisify((request, done) => {
      admit(deps, request, unite(collectEarlyKeys(request)), (failure) => {
        done(failure ?? checkScope(request.apiKey, scope));
      });
    });
    return async (request: FastifyRequest) => {
      await check(request);
      // The key has been read, from any number of places: what is left to validate is one text.
      const query = request.query as Record<string, unknown>;
      if (Array.isArray(query.api_key)) query.api_key = query.api_key[0];
    };
  };
  return Object.assign(plain, {
    withBody: (scope: Scope, body: BodyView) => guardWithBody(deps, scope, body),
  });
}

type Done = (failure?: Error) => void;

const promisify =
  (hook: (request: FastifyRequest, done: Done) => void) =>
  (request: FastifyRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      hook(request, (failure) => (failure ? reject(failure) : resolve()));
    });

function guardWithBody(deps: Deps, scope: Scope, body: BodyView) {
  return {
    onRequest: (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
      const early = unite(collectEarlyKeys(request));
      if (early === undefined) {
        done();
        return;
      }
      if (early !== conflict) request.earlyKey = early;
      admit(deps, request, early, done);
    },
    preValidation: (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
      const inBody = unite(body.listKeys(request));
      const settle: Done = (failure) => done(failure ?? checkScope(request.apiKey, scope));
      if (request.earlyKey === undefined) {
        const fault = body.findFault(request);
        if (fault) done(fault);
        else admit(deps, request, inBody, settle);
      } else if (inBody === undefined || inBody === request.earlyKey) settle();
      else done(refuse(deps.throttle, request, 'api_key_conflict'));
    },
  };
}

/** A publishable key is shipped to buyers: whatever its row says, it may do what all of them may. */
function checkScope(key: ApiKey, scope: Scope): ServiceError | undefined {
  const scopes: readonly Scope[] = key.kind === 'publishable' ? publishableScopes : key.scopes;
  return scopes.includes(scope) ? undefined : fail('insufficient_scope');
}

/** Calls back at once where the key is in memory: a promise per request would be felt. */
function admit(
  { finder, throttle, now }: Deps,
  request: FastifyRequest,
  secret: string | typeof conflict | undefined,
  done: Done,
): void {
  const settle = (key: ApiKey | undefined) => {
    const state = key && getKeyState(key, now());
    if (!key || !state) done(refuse(throttle, request, 'api_key_invalid'));
    else if (state !== 'active') done(refuse(throttle, request, `api_key_${state}`));
    else {
      request.apiKey = key;
      done();
    }
  };
  if (secret === undefined) done(refuse(throttle, request, 'api_key_missing'));
  else if (secret === conflict) done(refuse(throttle, request, 'api_key_conflict'));
  else {
    const known = finder.peek(secret);
    if (known) settle(known);
    // What settling itself may throw is an answer too, never a rejection that nobody handles.
    else finder.find(secret).then(settle).catch(done);
  }
}

/** Only failures are ever slowed down; a right key passes however many wrong ones came before. */
function refuse(throttle: Throttle, request: FastifyRequest, code: KeyFailure): ServiceError {
  const counted = throttle.fail(networkOf(request.ip));
  if (counted.limited) return refuseTooMany('failed-authentications', throttle, counted);
  return fail(code);
}
