// Sends a balance call to a connection as its provider would, through the code that serves providers.
import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { ReadyResponse } from '@counterfoil/kit/http/overload-response';
import type { Responder } from '@counterfoil/kit/http/responder';
import type { SessionFinder } from '../callbacks/find-running-session.ts';
import { answerProvider, type ProviderDeps } from './answer-provider.ts';
import { readMeaning, writeMeaning } from './calls/call-line.ts';
import { redactBody, redactForm, redactHeaders } from './calls/redact-call.ts';
import type { OpenConnection } from './connection.ts';
import type { DialectName, ProviderRequest, Secrets } from './dialects/dialect.ts';
import * as hub88 from './dialects/hub88/signature.ts';
import * as slotegrator from './dialects/slotegrator/signature.ts';
import * as softswiss from './dialects/softswiss/signature.ts';
import { signValkyrieRequest } from './dialects/valkyrie/signature.ts';
import type { FoundConnection } from './find-connection.ts';

interface TestCall {
  readonly found: FoundConnection;
  readonly playerId: string;
  readonly requestId: string;
  /** The IP address of the client that asked for the test; `operator` for a test from the command line. */
  readonly address: string;
}

export interface TestedCall {
  readonly request: ProviderRequest;
  readonly response: { readonly status: number; readonly body: string };
  /** The call and its result; null if the call was refused before it was read. */
  readonly meaning: unknown;
}

/** Sends a balance call, which moves no money. The call appears in the log of the connection. */
export async function sendTestCall(deps: ProviderDeps, test: TestCall): Promise<TestedCall> {
  const sessionId = `gs_test_${randomBytes(18).toString('base64url')}`;
  const { found, secrets } = await prepareKeys(test.found);
  const { currency } = found.customerPackage;
  const { connection } = found;
  const request = builders[connection.dialect]({
    playerId: test.playerId,
    sessionId,
    currency: Object.keys(connection.currencies)[0] ?? currency,
    profile: connection.profile,
    secrets,
    nowMs: deps.now().getTime(),
  });
  let meaning: unknown = null;
  const calls: ProviderDeps['calls'] = {
    ...deps.calls,
    add: (answered) => {
      if (answered.call) meaning = readMeaning(writeMeaning(answered.call, answered.result));
      deps.calls.add(answered);
    },
  };
  const { responder, response } = captureAnswer(test);
  const sessions = withTestSession(deps, { ...test, sessionId });
  answerProvider({ ...deps, calls, sessions }, { found, request, responder });
  const { status, body } = await response;
  await deps.calls.flush();
  return { request, response: { status, body: String(body) }, meaning };
}

/** Presents the request of a test call without its secrets. */
export const presentTestRequest = ({ method, path, query, headers, body }: ProviderRequest) => ({
  method,
  path: `${path || '/'}${query && `?${redactForm(query)}`}`,
  headers: redactHeaders(headers),
  body: redactBody(body.toString('utf8')),
});

const generatePair = promisify(generateKeyPair);

async function generateTestKeys() {
  const { publicKey, privateKey } = await generatePair('rsa', { modulusLength: 2048 });
  return {
    provider_public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    provider_private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * The key pair for test calls. Generating a pair takes about 100 ms, so each process generates only one pair.
 * The pair never leaves the process.
 */
let testKeys: ReturnType<typeof generateTestKeys> | undefined;

/**
 * Chooses the keys of the test call. The wallet does not have the private key of a hub88 provider. So the key
 * pair of this process replaces the provider's key for this call: its private key signs the call, and its
 * public key checks the signature.
 */
async function prepareKeys(found: FoundConnection): Promise<{ found: FoundConnection; secrets: Secrets }> {
  const { connection } = found;
  if (connection.dialect !== 'hub88') return { found, secrets: connection.secrets };
  testKeys ??= generateTestKeys();
  const secrets = await testKeys;
  const replaced: OpenConnection = { ...connection, secrets: { ...connection.secrets, ...secrets } };
  return { found: { ...found, connection: replaced }, secrets };
}

interface Given {
  readonly playerId: string;
  readonly sessionId: string;
  readonly currency: string;
  readonly profile: string;
  readonly secrets: Secrets;
  readonly nowMs: number;
}

const game = 'test';

const builders: Readonly<Record<DialectName, (given: Given) => ProviderRequest>> = {
  valkyrie: ({ playerId, sessionId, currency, secrets }) => ({
    method: 'GET',
    path: `/players/${encodeURIComponent(playerId)}/balance`,
    query: `provider=${game}&currency=${encodeURIComponent(currency)}`,
    headers: signValkyrieRequest(secrets.token ?? '', sessionId),
    body: Buffer.alloc(0),
  }),
  softswiss: ({ playerId, currency, secrets }) =>
    softswiss.signWalletRequest(secrets.token ?? '', '/balance', {
      account_id: playerId,
      currency,
      game_id: game,
    }),
  hub88: ({ playerId, sessionId, currency, profile, secrets }) =>
    hub88.signWalletRequest(
      secrets.provider_private_key_pem ?? '',
      '/user/balance',
      { user: playerId, token: sessionId, request_uuid: randomUUID(), game_code: game, currency },
      profile,
    ),
  slotegrator: ({ playerId, sessionId, currency, secrets, nowMs }) =>
    slotegrator.signWalletRequest(
      { merchantId: secrets.merchant_id ?? '', merchantKey: secrets.merchant_key ?? '' },
      { action: 'balance', player_id: playerId, currency, session_id: sessionId },
      { timestamp: Math.floor(nowMs / 1000), nonce: randomBytes(16).toString('hex') },
    ),
};

/**
 * Creates a session that exists only for this call. So the test works even if the player has never launched a
 * game.
 */
function withTestSession(
  { sessions, accounts, now }: ProviderDeps,
  { found, playerId, sessionId }: TestCall & { readonly sessionId: string },
): SessionFinder {
  const { id: packageId } = found.customerPackage;
  return {
    isRunning: (bet) => sessions.isRunning(bet),
    find: async (wanted, id) => {
      if (wanted !== packageId || id !== sessionId) return sessions.find(wanted, id);
      const accountId = await accounts.find(packageId, playerId);
      if (accountId === undefined) return undefined;
      const expiresAt = new Date(now().getTime() + 60_000);
      const { id: connectionId } = found.connection;
      const running = { mode: 'real', expiresAt, endedAt: undefined, replacedAt: undefined } as const;
      return { accountId, gameId: game, connectionId, ...running };
    },
  };
}

/** Creates a responder that returns the first answer to the caller instead of sending it over HTTP. */
function captureAnswer({ requestId, address }: TestCall) {
  let isAnswered = false;
  let resolve: (response: ReadyResponse) => void = () => {};
  const response = new Promise<ReadyResponse>((done) => {
    resolve = done;
  });
  const unexpected = () => {
    throw new Error('a provider call is answered in its dialect only');
  };
  const responder: Responder = {
    requestId,
    address,
    get isAnswered() {
      return isAnswered;
    },
    answerBy: () => {},
    send: unexpected,
    fail: unexpected,
    sendReady: (ready) => {
      isAnswered = true;
      resolve(ready);
    },
  };
  return { responder, response };
}
