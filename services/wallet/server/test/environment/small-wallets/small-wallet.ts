// A small wallet in memory that speaks every dialect, into which a test plants one bug at a time.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { SendRequest } from '../../../src/certify/send-request.ts';
import type {
  Authenticity,
  DialectName,
  EarlyFailure,
  PlayCall,
  ProviderCall,
  ProviderRequest,
  ProviderResponse,
  Secrets,
  Terms,
} from '../../../src/connections/dialects/dialect.ts';
import { dialects } from '../../../src/connections/dialects/dialects.ts';
import type { Bug } from './bugs.ts';
import { createSmallLedger, type Journal, owners, people, type SmallLedgerTerms } from './small-ledger.ts';

export interface SmallWalletTerms extends SmallLedgerTerms {
  readonly dialect: DialectName;
  /** A variant of the dialect; empty if there is none. */
  readonly profile?: string;
  readonly bug?: Bug | undefined;
}

export interface SmallWallet {
  /** The credentials that the provider uses. */
  readonly credentials: Secrets;
  /** Returns the balance of Ann in cents. */
  readonly balance: () => bigint;
  /** Answers a request without HTTP. This takes a tenth of the time that HTTP would take. */
  readonly send: SendRequest;
}

const keys = {
  pem: undefined as { publicKey: string; privateKey: string } | undefined,
  generate: () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
};

function createSecrets(dialect: DialectName): { ours: Secrets; theirs: Secrets } {
  if (dialect === 'hub88') {
    keys.pem ??= keys.generate();
    const { publicKey, privateKey } = keys.pem;
    return { ours: { provider_public_key_pem: publicKey }, theirs: { private_key_pem: privateKey } };
  }
  const shared: Secrets =
    dialect === 'slotegrator'
      ? { merchant_id: 'merchant', merchant_key: 'merchant-key' }
      : { token: 'small-token' };
  return { ours: shared, theirs: shared };
}

const maxBodyBytes = 64 * 1024;

export function createSmallWallet({
  dialect: name,
  profile = '',
  bug,
  ...money
}: SmallWalletTerms): SmallWallet {
  const dialect = dialects[name];
  const { ours, theirs } = createSecrets(name);
  const secrets = [ours];
  const ledger = createSmallLedger(bug, money);
  const terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile };
  const nonces = new Set<string>();
  const bugged = bug === 'answers a repeat with another balance';
  const otherBalance = dialect.repeatBalance === 'stored' ? 'present' : 'stored';
  const repeatBalance = bugged ? otherBalance : dialect.repeatBalance;

  const findForgery = (request: ProviderRequest): EarlyFailure | undefined => {
    const nowMs = bug === 'accepts old signatures' ? readTimestamp(request) : Date.now();
    const authenticity: Authenticity = dialect.authenticate(request, secrets, nowMs, profile);
    if (authenticity.kind !== 'authentic') return authenticity.kind;
    const { nonce } = authenticity;
    if (nonce === undefined || bug === 'accepts nonces twice') return undefined;
    const isUsed = nonces.has(nonce);
    nonces.add(nonce);
    return isUsed ? 'stale' : undefined;
  };

  /**
   * The context of the latest valid request. An invalid request has no context, so the answer to an invalid
   * request uses this context.
   */
  let latest: unknown;

  const presentInvalid = (response: ProviderResponse): ProviderResponse => {
    if (bug === 'answers bad input with HTTP 500') return { ...response, status: 500 };
    if (bug !== 'answers bad input as missing funds') return response;
    return dialect.present({ kind: 'failed', code: 'insufficient_funds' }, latest, terms);
  };

  const applyValidPart = (request: ProviderRequest, known: Journal) => {
    const parsed = dialect.parse(dropLast(request), terms, secrets);
    if ('call' in parsed) ledger.run(parsed.call, { known, requestId: undefined, repeatBalance });
  };

  const answer = (request: ProviderRequest, known: Journal): ProviderResponse => {
    const forgery = bug === 'checks no signature' ? undefined : findForgery(request);
    const refuse = (failure: EarlyFailure) => dialect.presentEarly(failure, request);
    if (forgery && bug !== 'checks the signature after parsing' && bug !== 'looks for the player first') {
      return refuse(forgery);
    }
    const isTooLarge = request.body.length > maxBodyBytes && bug !== 'accepts large bodies';
    if (isTooLarge) return presentInvalid(refuse('too_large'));
    const parsed = dialect.parse(changeRequest(bug, request, ours), changeTerms(bug, terms), secrets);
    if ('invalid' in parsed) {
      if (forgery && bug === 'looks for the player first') return refuse(forgery);
      if (bug === 'validates a batch while it applies it') applyValidPart(request, known);
      return presentInvalid(parsed.invalid);
    }
    const { call, context, refusal } = parsed;
    if (!refusal) latest = context;
    const isUnknown = 'playerId' in call && !ledger.hasPlayer(call.playerId);
    if (forgery && !(isUnknown && bug === 'looks for the player first')) return refuse(forgery);
    const { requestUuid: requestId } = context as { requestUuid?: string };
    const result = ledger.run(changeCall(bug, call, request), { known, requestId, repeatBalance });
    const response = dialect.present(result, context, terms);
    return refusal ? presentInvalid(response) : response;
  };

  const send: SendRequest = async (request) => {
    const before = ledger.copyJournal();
    // With this bug, each request is decided on the journal as it was when the request arrived. So concurrent
    // requests do not see each other.
    if (bug === 'applies parallel repeats') await setImmediate();
    const { status, body } = answer(
      request,
      bug === 'applies parallel repeats' ? before : ledger.copyJournal(),
    );
    return { status, text: body };
  };
  return { credentials: theirs, balance: () => ledger.balanceOf(people.ann), send };
}

const readTimestamp = ({ headers }: ProviderRequest): number => Number(headers['x-timestamp']) * 1000;

/**
 * Changes the request so that the correct parser reads it as a wallet with this bug would read the original
 * request.
 */
function changeRequest(bug: Bug | undefined, request: ProviderRequest, { token }: Secrets): ProviderRequest {
  // `findForgery` has checked the token, unless the bug skips this check. Valkyrie's parser checks the token
  // again and must not refuse it, so the request gets the right token.
  const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) };
  if (bug !== 'ignores the sign of amounts') return { ...request, headers };
  const text = request.body.toString('utf8').replace(/([:"=])-(?=\d)/g, '$1');
  return { ...request, headers, body: Buffer.from(text) };
}

/**
 * The number of decimals that a wallet with the rounding bug accepts. The balances of the wallet have fewer
 * decimals.
 */
const fineDecimals = 5;

function changeTerms(bug: Bug | undefined, terms: Terms): Terms {
  if (bug === 'accepts other currencies') return { ...terms, currencies: { ZZZ: terms.currency } };
  return bug === 'rounds fine amounts' ? { ...terms, decimals: fineDecimals } : terms;
}

function changeCall(bug: Bug | undefined, call: ProviderCall, request: ProviderRequest): ProviderCall {
  if (bug === 'takes the player from the session' && 'playerId' in call) {
    return { ...call, playerId: owners.get(readToken(request)) ?? call.playerId };
  }
  if (call.kind !== 'play') return call;
  if (bug === 'rounds fine amounts') return roundAmounts(call, 1000n, 1n);
  if (bug === 'rounds to tenths') return roundAmounts(call, 10n, 10n);
  if (bug !== 'needs a session for every request') return call;
  return { ...call, session: { token: readToken(request), needs: 'running' } };
}

/** Reads the session token. Valkyrie sends the token in a header, Hub88 in the body. */
const readToken = ({ headers, body }: ProviderRequest): string =>
  String(headers['x-player-token'] ?? JSON.parse(body.toString('utf8')).token);

/** Removes the last transaction of the request if the request has several. */
function dropLast(request: ProviderRequest): ProviderRequest {
  const text = request.body
    .toString('utf8')
    .replace(/\},\{[^{}]*\}\]/, '}]')
    .replace(/(?:^|&)rollback_transactions(?:\[|%5B)1[^&]*/g, '');
  return { ...request, body: Buffer.from(text) };
}

const roundAmounts = (call: PlayCall, divisor: bigint, factor: bigint): PlayCall => ({
  ...call,
  legs: call.legs.map((leg) =>
    'amount' in leg ? { ...leg, amount: ((leg.amount + divisor / 2n) / divisor) * factor } : leg,
  ),
});

/** Serves a small wallet over HTTP. After `maxRequests` requests, the server resets all connections. */
export async function serveSmallWallet(terms: SmallWalletTerms, maxRequests = Number.POSITIVE_INFINITY) {
  const wallet = createSmallWallet(terms);
  let requests = 0;
  const server = createServer(async (request, response) => {
    if (++requests > maxRequests) {
      request.socket.destroy();
      return;
    }
    const { method = '', url = '', headers } = request;
    const { pathname: path, search } = new URL(url, 'http://small');
    const body = await buffer(request);
    const { status, text } = await wallet.send({ method, path, query: search.slice(1), headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  // The command must not use a connection that is being closed, because it does not repeat requests.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    ...wallet,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
