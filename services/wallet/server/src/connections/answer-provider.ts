// Answers a provider's request in its dialect, for the router and the fast path.
import type { ReadyResponse } from '@counterfoil/kit/http/overload-response';
import type { Responder } from '@counterfoil/kit/http/responder';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { ForgedSink } from '../callbacks/forged-callbacks.ts';
import type { CallCode } from './calls/call-line.ts';
import type { ProviderCallRecorder } from './calls/record-calls.ts';
import { type Dialects, listLiveSecrets, termsOf } from './connection.ts';
import type {
  CallResult,
  Dialect,
  EarlyFailure,
  ProviderCall,
  ProviderRequest,
  ProviderResponse,
} from './dialects/dialect.ts';
import type { FoundConnection } from './find-connection.ts';
import type { NonceStore } from './nonces.ts';
import { repeatRefusal } from './repeat-requests.ts';
import { type CallDeps, type Called, runCall, takesMoney, toFailureCode } from './run-call.ts';
import { hashRequest } from './to-batch.ts';

export interface ProviderDeps extends CallDeps {
  readonly dialects: Dialects;
  readonly nonces: NonceStore;
  readonly forged: ForgedSink;
  readonly calls: ProviderCallRecorder;
  readonly logger: Logger;
  readonly answerWithinMs: number;
}

/** A request to a connection that exists. */
export interface ProviderContext {
  readonly found: FoundConnection;
  readonly request: ProviderRequest;
  readonly responder: Responder;
}

export function answerProvider(deps: ProviderDeps, context: ProviderContext): void {
  const { found, request } = context;
  const { connection, customerPackage } = found;
  const dialect = deps.dialects[connection.dialect];
  const now = deps.now();
  const secrets = listLiveSecrets(connection, now);
  // The signature is checked on the raw bytes, before the body is parsed.
  const authenticity = dialect.authenticate(request, secrets, now.getTime(), connection.profile);
  if (authenticity.kind !== 'authentic') {
    recordForgery(deps, context, authenticity.kind);
    answerEarly(deps, context, authenticity.kind);
    return;
  }
  const pause = findPause(found);
  if (pause) {
    answerEarly(deps, context, 'paused', { code: pause });
    return;
  }
  const terms = termsOf(connection, customerPackage);
  const parsed = dialect.parse(request, terms, secrets);
  if ('invalid' in parsed) {
    respond(deps, context, parsed.invalid, { code: 'invalid_parameter' });
    return;
  }
  const { call } = parsed;
  // A suspended package accepts no bets, but still accepts wins and rollbacks. The wallet's own protocol has
  // the same rule.
  if (customerPackage.state === 'suspended' && call.kind === 'play' && takesMoney(call)) {
    answerEarly(deps, context, 'paused', { call, code: 'package_suspended' });
    return;
  }
  const present = (result: CallResult) => {
    const code = result.kind === 'failed' ? result.code : (parsed.refusal ?? '');
    respond(deps, context, dialect.present(result, parsed.context, terms), { code, call, result });
  };
  // At the deadline, the provider gets the answer that the outcome is unknown. From then on `isAnswered`
  // returns true, and nothing more is submitted to the ledger.
  const timer = setTimeout(() => present({ kind: 'failed', code: 'outcome_unknown' }), deps.answerWithinMs);
  const isAnswered = () => context.responder.isAnswered;
  const run = () => runRepeatable(deps, { found, dialect, isAnswered }, call);
  const { nonce } = authenticity;
  const running = nonce === undefined ? run() : runOnce(deps, found, nonce, run);
  running.then(
    (result) => {
      clearTimeout(timer);
      if (result) {
        present(result);
        return;
      }
      recordForgery(deps, context, 'stale');
      answerEarly(deps, context, 'stale', { call });
    },
    (error: unknown) => {
      clearTimeout(timer);
      deps.logger.error({ err: error, connection: connection.id }, 'a provider call failed');
      present({ kind: 'failed', code: 'internal_error' });
    },
  );
}

function recordForgery(
  { forged }: ProviderDeps,
  { found, responder }: ProviderContext,
  kind: 'forged' | 'stale',
): void {
  const reason = kind === 'forged' ? 'signature_invalid' : 'timestamp_out_of_range';
  forged.record({ uid: found.customerPackage.uid, address: responder.address, reason });
}

/**
 * Carries the call out only if its nonce is new and could be stored. Returns undefined if the nonce was used
 * before.
 */
async function runOnce(
  { nonces }: ProviderDeps,
  { connection }: FoundConnection,
  nonce: string,
  run: () => Promise<CallResult>,
): Promise<CallResult | undefined> {
  try {
    if (!(await nonces.accept(connection, nonce))) return undefined;
  } catch (error) {
    return { kind: 'failed', code: toFailureCode(error) };
  }
  return run();
}

/**
 * Carries the call out. Some dialects repeat refusals: if the request was refused before, it gets the same
 * refusal again.
 */
async function runRepeatable(
  deps: ProviderDeps,
  called: Called & { readonly dialect: Dialect },
  call: ProviderCall,
): Promise<CallResult> {
  const run = () => runCall(deps, called, call);
  const { connection, customerPackage } = called.found;
  if (!called.dialect.repeatsRefusals || call.kind !== 'play' || call.requestId === undefined) return run();
  const { requestId } = call;
  const request = {
    packageId: customerPackage.id,
    hashRequest: () => hashRequest(connection.id, requestId),
    call,
  };
  try {
    return await repeatRefusal(deps.refusals, request, run);
  } catch (error) {
    return { kind: 'failed', code: toFailureCode(error) };
  }
}

/**
 * Returns the reason why the call is not carried out, for the log: the connection is paused, or its package
 * is pending. The provider gets the same answer for both reasons. Returns undefined if the call may be
 * carried out.
 */
function findPause({ connection, customerPackage }: FoundConnection): CallCode | undefined {
  if (connection.state === 'paused') return 'paused';
  return customerPackage.state === 'pending' ? 'package_pending' : undefined;
}

/** Answers a request whose call is not carried out. The body may not have been parsed. */
export function answerEarly(
  deps: Pick<ProviderDeps, 'dialects' | 'calls'>,
  context: ProviderContext,
  failure: EarlyFailure,
  logged: { readonly call?: ProviderCall; readonly code?: CallCode } = {},
): void {
  const dialect = deps.dialects[context.found.connection.dialect];
  respond(deps, context, dialect.presentEarly(failure, context.request), { code: failure, ...logged });
}

function respond(
  { calls }: Pick<ProviderDeps, 'calls'>,
  { found, request, responder }: ProviderContext,
  response: ProviderResponse,
  given: { code: CallCode | ''; call?: ProviderCall | undefined; result?: CallResult },
): void {
  if (responder.isAnswered) return;
  const { requestId, address } = responder;
  const { code, call, result } = given;
  const { status } = response;
  responder.sendReady(toReady(response, { code, requestId }));
  calls.add({ found, request, requestId, address, status, code, call, result });
}

const constantHeaders = [
  ...['cache-control', 'no-store', 'x-content-type-options', 'nosniff'],
  ...['content-type', 'application/json; charset=utf-8'],
];

/** Adds the headers that every answer to a provider has. */
export const toReady = (
  { status, body }: ProviderResponse,
  { code, requestId }: { code: string; requestId: string },
): ReadyResponse => ({
  code,
  status,
  headers: ['x-request-id', requestId, ...constantHeaders],
  body,
});
