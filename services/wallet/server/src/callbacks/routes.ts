// POST /api/v1/game/callback (specification, section 4): authenticates, decrypts, answers and signs.
import { isUtf8 } from 'node:buffer';
import type { App } from '@counterfoil/kit/http/app';
import { ServiceError } from '@counterfoil/kit/http/errors';
import { RouterResponder } from '@counterfoil/kit/http/responder';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import {
  getPackage,
  type IdentifyDeps,
  identify,
  refuseByAddress,
  refuseByState,
} from '../packages/callers/authenticate.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import { answerCallback, type CallbackDeps } from './answer-callback.ts';
import { takesMoney } from './callback.ts';
import { recordCallbackRefusal } from './callback-log.ts';
import { type CallbackBody, callbackSchema } from './callback-schema.ts';
import type { ForgedSink } from './forged-callbacks.ts';
import { readCallback } from './read-callback.ts';
import { joseType } from './security/encryption.ts';
import { type AnswerSeal, openCallback, sealAnswer } from './security/open-callback.ts';

declare module 'fastify' {
  interface FastifyRequest {
    callback: CallbackContext | undefined;
  }
}

/** The package of an identified provider, and how the answer is signed or encrypted. */
interface CallbackContext {
  readonly package: CustomerPackage;
  seal: AnswerSeal | undefined;
}

export interface CallbackRouteDeps extends CallbackDeps, IdentifyDeps {}

export function registerCallbackRoutes(app: App, deps: CallbackRouteDeps): void {
  app.decorateRequest('callback', undefined);
  // A separate Fastify scope, in which bodies stay bytes until their signature is verified.
  app.register(async (given) => {
    const scope = given as unknown as App;
    readBodiesRaw(scope);
    registerHooks(scope, deps);
    registerCallback(scope, deps);
  });
}

function readBodiesRaw(scope: App): void {
  scope.removeAllContentTypeParsers();
  const pass = (_request: unknown, body: unknown, done: (e: null, body: unknown) => void) => done(null, body);
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, pass);
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, pass);
}

function registerHooks(scope: App, deps: CallbackRouteDeps): void {
  const { recorder } = deps;
  const identifyDeps = { ...deps, forged: recorder.forged };
  scope.addHook('onRequest', async (request) => {
    const found = await identifyProvider(identifyDeps, request);
    request.callback = { package: found, seal: undefined };
    if (found.callbackSecurity === 'headers') authorizeProvider(request, found);
  });
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.addHook('preValidation', (request, _reply, done) => {
    const context = getContext(request);
    const read = (raw: Buffer | undefined, type: string) => {
      let fault: Error | undefined;
      try {
        readBody(request, { raw, type, parse });
        refuseWhenSuspended(request, context.package);
      } catch (error) {
        fault = error as Error;
      }
      done(fault);
    };
    const raw = request.body as Buffer | undefined;
    if (context.package.callbackSecurity === 'headers') read(raw, 'application/json');
    else
      openBody(deps, request, context, raw ?? Buffer.alloc(0)).then(
        ({ plain, type }) => read(plain, type),
        done,
      );
  });
  scope.addHook('onSend', (request, reply, payload, done) => {
    const seal = request.callback?.seal;
    if (!seal || typeof payload !== 'string') done(null, payload);
    else sealReply(deps, { seal, reply, payload }).then((sealed) => done(null, sealed), done);
  });
  scope.addHook('onResponse', (request, reply, done) => {
    done();
    const { callback, customerPackage, id: requestId, ip: address, body } = request;
    if (!callback || !customerPackage || !reply.failure) return;
    const logged = { packageId: customerPackage.id, requestId, address, body };
    recordCallbackRefusal(deps, logged, reply.failure);
  });
}

function getContext(request: FastifyRequest): CallbackContext {
  if (!request.callback) throw new Error('a callback was not identified');
  return request.callback;
}

async function identifyProvider(
  deps: IdentifyDeps & { forged: ForgedSink },
  request: FastifyRequest,
): Promise<CustomerPackage> {
  try {
    const { customerPackage } = await identify(deps, request);
    return customerPackage;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 401 || error.status === 429)) {
      const { 'x-uid': uid, 'x-api-key': key, 'x-api-secret': secret } = request.headers;
      const reason = uid && key && secret ? 'auth_invalid' : 'auth_missing';
      deps.forged.record({ uid: String(uid ?? ''), address: request.ip, reason });
    }
    throw error;
  }
}

/** Authorizes a request that the provider sent. From here on, errors contain the package's credit. */
function authorizeProvider(request: FastifyRequest, customerPackage: CustomerPackage): void {
  request.customerPackage = customerPackage;
  // A suspended package is not refused here, because some actions are still served for this package. All
  // other actions are refused after the body is parsed.
  refuseByState(customerPackage, { whenSuspended: 'served' });
  refuseByAddress(customerPackage.callbackAddresses, request.ip);
}

/**
 * Verifies the signature first. The state of the package and the address are checked later, so that a forger
 * learns nothing about the package.
 */
async function openBody(
  deps: CallbackRouteDeps,
  request: FastifyRequest,
  context: CallbackContext,
  body: Buffer,
): Promise<{ plain: Buffer; type: string }> {
  const { method, url, headers } = request;
  const path = url.split('?', 1)[0] ?? url;
  const sealed = { method, path, signature: headers['x-signature'], body };
  const opened = await openCallback(deps.masterKey, context.package, sealed, deps.now());
  if ('fault' in opened) {
    const { uid } = context.package;
    deps.recorder.forged.record({ uid, address: request.ip, reason: opened.fault });
    throw fail(opened.fault);
  }
  context.seal = opened.seal;
  authorizeProvider(request, context.package);
  const type = opened.seal.mode === 'encrypted' ? joseType : 'application/json';
  return { plain: opened.plain, type };
}

type Parse = ReturnType<App['getDefaultJsonParser']>;

function readBody(
  request: FastifyRequest,
  given: { raw: Buffer | undefined; type: string; parse: Parse },
): void {
  const { raw, type, parse } = given;
  const sent = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== type && (sent !== undefined || raw !== undefined)) {
    throw fail('unsupported_media_type');
  }
  if (raw === undefined || !isUtf8(raw)) throw fail('invalid_body');
  parse(request, raw.toString('utf8'), (error, body) => {
    if (error) throw error;
    request.body = body;
  });
}

function refuseWhenSuspended(request: FastifyRequest, { state }: CustomerPackage): void {
  if (state !== 'suspended') return;
  const { action } = (request.body ?? {}) as { action?: unknown };
  if (takesMoney(action)) throw fail('package_suspended');
}

async function sealReply(
  deps: CallbackRouteDeps,
  given: { seal: AnswerSeal; reply: FastifyReply; payload: string },
): Promise<string> {
  const { seal, reply, payload } = given;
  const answer = { status: reply.statusCode, body: payload };
  const { body, headers } = await sealAnswer(seal, answer, deps.now());
  reply.headers(headers);
  return body;
}

function registerCallback(scope: App, deps: CallbackRouteDeps): void {
  const route = { schema: callbackSchema, config: { carriesCredit: true } };
  scope.post('/api/v1/game/callback', route, (request, reply) => {
    const customerPackage = getPackage(request);
    const { body } = request;
    const callback = readCallback(body as CallbackBody, customerPackage);
    const responder = new RouterResponder(request, reply);
    answerCallback(deps, { customerPackage, body, callback, responder });
  });
}
