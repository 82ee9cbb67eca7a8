// Authenticates a request by the key in its query, headers or body, and checks the scope.
import { promisify } from 'node:util';
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
import { type ApiKey, getKeyState, hasScope, type Scope } from './api-key.ts';
import type { ApiKeyFinder } from './find-api-key.ts';
import { collectEarlyKeys, conflict, unite } from './sent-keys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    apiKey: ApiKey;
    /** The key from the query or a header. A key in the body must be equal to it. */
    earlyKey: string | undefined;
  }
}

export const ApiKeyParameter = Type.Optional(
  Type.String({ description: 'The API key. The header X-Api-Key is safer, because URLs are often logged.' }),
);

export const apiKeySecurity = [{ apiKeyHeader: [] }, { bearer: [] }, { apiKeyQuery: [] }];

export const securitySchemes = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  bearer: { type: 'http', scheme: 'bearer' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
};

/** Declares the fields that hooks set later, so that all request objects have one shape. */
export function decorateRequests(app: App): void {
  app.decorateRequest('apiKey');
  app.decorateRequest('earlyKey');
  app.decorateRequest('bodyType');
  app.decorateRequest('seller');
}

/** Reads the keys from a parsed body, and reports why a body could not be parsed. */
export interface BodyView {
  readonly listKeys: (request: FastifyRequest) => readonly unknown[];
  /**
   * Called if neither the query nor a header has a key. If the body is broken, returns the error of the
   * body, and this error is reported instead of a missing key.
   */
  readonly findFault: (request: FastifyRequest) => Error | undefined;
}

/** Lists the keys that a request contains; by default those in its query and headers. */
type ListKeys = (request: FastifyRequest) => readonly unknown[];

export interface Authenticate {
  /**
   * Makes a hook that requires an active key with this scope. The hook does not read the body. A route with
   * a body uses it as an `onRequest` hook, before the body is read.
   */
  (scope: Scope, listKeys?: ListKeys): (request: FastifyRequest) => Promise<void>;
  /**
   * Makes the hooks of a route whose body may contain the key. A key in the query or a header is checked
   * before the body is read. If the body also contains a key, both keys must be equal.
   */
  withBody(
    scope: Scope,
    body: BodyView,
  ): { onRequest: onRequestHookHandler; preValidation: preValidationHookHandler };
}

type KeyFailure = Extract<Parameters<typeof fail>[0], `api_key_${string}`>;

interface Deps {
  readonly finder: ApiKeyFinder;
  readonly throttle: Throttle;
  readonly now: () => Date;
}

export function createAuthenticate(deps: Deps): Authenticate {
  const plain = (scope: Scope, listKeys: ListKeys = collectEarlyKeys) => {
    const check = promisify((request: FastifyRequest, done: Done) => {
      authorize(deps, request, unite(listKeys(request)), (failure) => {
        done(failure ?? checkScope(request.apiKey, scope));
      });
    });
    return async (request: FastifyRequest) => {
      await check(request);
      // If the query repeats `api_key`, its value is a list, but the schema requires a text. `unite` has
      // already checked that all values are equal, so the first value is used.
      const query = request.query as Record<string, unknown>;
      if (Array.isArray(query.api_key)) query.api_key = query.api_key[0];
    };
  };
  return Object.assign(plain, {
    withBody: (scope: Scope, body: BodyView) => guardWithBody(deps, scope, body),
  });
}

type Done = (failure?: Error) => void;

function guardWithBody(deps: Deps, scope: Scope, body: BodyView) {
  return {
    onRequest: (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
      const early = unite(collectEarlyKeys(request));
      if (early === undefined) {
        done();
        return;
      }
      if (early !== conflict) request.earlyKey = early;
      authorize(deps, request, early, done);
    },
    preValidation: (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
      const inBody = unite(body.listKeys(request));
      const settle: Done = (failure) => done(failure ?? checkScope(request.apiKey, scope));
      if (request.earlyKey === undefined) {
        const fault = body.findFault(request);
        if (fault) done(fault);
        else authorize(deps, request, inBody, settle);
      } else if (inBody === undefined || inBody === request.earlyKey) settle();
      else done(refuse(deps.throttle, request, 'api_key_conflict'));
    },
  };
}

const checkScope = (key: ApiKey, scope: Scope): ServiceError | undefined =>
  hasScope(key, scope) ? undefined : fail('insufficient_scope');

/**
 * Checks the key and calls `done`. If the key is cached, `done` is called synchronously, because a promise
 * per request would lower the throughput.
 */
function authorize(
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
    // `catch` also receives errors that `settle` throws. Without it, such an error would be an unhandled
    // rejection.
    else finder.find(secret).then(settle).catch(done);
  }
}

/**
 * Counts a failed authentication. Only failures are limited: a valid key is accepted, however many wrong keys
 * its network has sent.
 */
function refuse(throttle: Throttle, request: FastifyRequest, code: KeyFailure): ServiceError {
  const counted = throttle.fail(networkOf(request.ip));
  if (counted.limited) return refuseTooMany('failed-authentications', throttle, counted);
  return fail(code);
}
