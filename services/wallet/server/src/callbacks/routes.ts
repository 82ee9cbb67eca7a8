// POST /api/v1/game/callback (specification, section 4): opened, read, played, answered in kind.
import { isUtf8 } from 'node:buffer';
import type { App } from '@counterfoil/kit/http/app';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import { getPackage, type IdentifyDeps } from '../packages/callers/authenticate.ts';
import { presentCredit } from '../packages/credit-alert.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import { admitProvider, identifyProvider } from './authenticate-callback.ts';
import { presentCallback, takesMoney } from './callback.ts';
import { type CallbackCall, describeCall, getCall, startCall } from './callback-call.ts';
import { type CallbackBody, callbackSchema } from './callback-schema.ts';
import { type PlayDeps, playCallback } from './play-callback.ts';
import { readCallback } from './read-callback.ts';
import type { CallbackRecorder } from './record-callbacks.ts';
import { joseType } from './security/encryption.ts';
import { type AnswerSeal, openCallback, sealAnswer } from './security/open-callback.ts';

export interface CallbackRouteDeps extends PlayDeps, IdentifyDeps {
  readonly recorder: CallbackRecorder;
}

export function registerCallbackRoutes(app: App, deps: CallbackRouteDeps): void {
  app.decorateRequest('callback', undefined);
  // A scope of its own: here bodies stay bytes until they are verified.
  app.register(async (given) => {
    const scope = given as unknown as App;
    readBodiesRaw(scope);
    registerHooks(scope, deps);
    registerCallback(scope, deps);
  });
}

function readBodiesRaw(scope: App): void {
  scope.removeAllContentTypeParsers();
  const keep = (_request: unknown, body: unknown, done: (e: null, body: unknown) => void) =>
    done(null, body);
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, keep);
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, keep);
}

function registerHooks(scope: App, deps: CallbackRouteDeps): void {
  const { recorder } = deps;
  const identifyDeps = { ...deps, forged: recorder.forged };
  scope.addHook('onRequest', async (request) => {
    const found = await identifyProvider(identifyDeps, request);
    request.callback = startCall(found);
    if (found.callbackSecurity === 'headers') admitProvider(request, found);
  });
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.addHook('preValidation', (request, _reply, done) => {
    const call = getCall(request);
    const read = (raw: Buffer | undefined, type: string) => {
      let fault: Error | undefined;
      try {
        readBody(request, { raw, type, parse });
        refuseWhenSuspended(request, call.package);
      } catch (error) {
        fault = error as Error;
      }
      done(fault);
    };
    const raw = request.body as Buffer | undefined;
    if (call.package.callbackSecurity === 'headers') read(raw, 'application/json');
    else
      openBody(deps, request, call, raw ?? Buffer.alloc(0)).then(
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
    const line = describeCall(request, reply, deps.now());
    if (line) recorder.add(line);
    done();
  });
}

/** Signature before state and address: what is not proved genuine learns nothing of the package. */
async function openBody(
  deps: CallbackRouteDeps,
  request: FastifyRequest,
  call: CallbackCall,
  body: Buffer,
): Promise<{ plain: Buffer; type: string }> {
  const { method, url, headers } = request;
  const path = url.split('?', 1)[0] ?? url;
  const sealed = { method, path, signature: headers['x-signature'], body };
  const opened = await openCallback(deps.masterKey, call.package, sealed, deps.now());
  if ('fault' in opened) {
    const { uid } = call.package;
    deps.recorder.forged.note({ uid, address: request.ip, reason: opened.fault });
    throw fail(opened.fault);
  }
  call.seal = opened.seal;
  admitProvider(request, call.package);
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
  scope.post('/api/v1/game/callback', route, async (request) => {
    const customerPackage = getPackage(request);
    const { currency } = customerPackage;
    const call = getCall(request);
    const callback = readCallback(request.body as CallbackBody, currency);
    const answer = await playCallback(deps, customerPackage, callback, (money) => {
      call.credit = money.credit;
      call.balance = money.balance;
      call.conflict = money.field;
      call.duplicate = money.duplicate ?? false;
    });
    call.duplicate = answer.duplicate;
    call.result = answer.result;
    return {
      status: 'success' as const,
      data: presentCallback(callback, answer, currency),
      balance: toJsonNumber(answer.balance, currency),
      ...presentCredit(customerPackage, answer.credit),
      request_id: request.id,
    };
  });
}
