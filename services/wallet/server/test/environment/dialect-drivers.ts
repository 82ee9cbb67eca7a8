// Plays the same game in every dialect: a bet, a win, a rollback and a balance read, each with one call.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { NewConnection } from '../../src/connections/change-connections.ts';
import type { DialectName, ProviderRequest } from '../../src/connections/dialects/dialect.ts';
import { signWalletRequest as signHub88 } from '../../src/connections/dialects/hub88/signature.ts';
import * as slotegratorSignature from '../../src/connections/dialects/slotegrator/signature.ts';
import { signWalletRequest as signSoftswiss } from '../../src/connections/dialects/softswiss/signature.ts';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { insertSession } from '../../src/games/store.ts';
import { getAccount } from '../../src/players/queries.ts';
import { type GivenConnection, giveConnection } from './connections.ts';
import type { Given, GivenPackage } from './given.ts';

/** An answer of any dialect in a common form: the balance in cents, and the code of a refusal. */
export interface DialectAnswer {
  readonly ok: boolean;
  readonly status: number;
  /** The balance in cents; undefined if the answer has no balance. */
  readonly balance: number | undefined;
  /** The dialect's code of the refusal; empty if the call was accepted. */
  readonly code: string;
  /** The body without the ids of the request, so that answers can be compared. */
  readonly body: string;
}

interface Move {
  readonly id: string;
  /** The amount in cents. */
  readonly amount: number;
  readonly round: string;
  /** If true, the call closes the round. */
  readonly finished?: boolean;
}

export interface DialectPlayer {
  readonly playerId: string;
  /** The token of the player's running session. */
  readonly session: string;
  /** Builds and signs a request without sending it. Pass the result to `send`. */
  build(request: MakeRequest): ProviderRequest;
  buildBet(move: Move): ProviderRequest;
  send(request: ProviderRequest): Promise<DialectAnswer>;
  bet(move: Move): Promise<DialectAnswer>;
  win(move: Move & { bet: string }): Promise<DialectAnswer>;
  rollback(move: { id: string; of: string; round: string }): Promise<DialectAnswer>;
  balance(): Promise<DialectAnswer>;
}

export interface DialectDriver {
  readonly connection: GivenConnection;
  /** Creates a player with a running session. The player's balance is 100.00 by default. */
  player(wanted?: { balance?: string; playerId?: string }): Promise<DialectPlayer>;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const secrets: Record<DialectName, NewConnection['secrets']> = {
  softswiss: { token: 'a-token' },
  // The connection gets a prepared key, because generating a key takes seconds.
  hub88: { provider_public_key_pem: publicKeyPem, private_key_pem: privateKeyPem },
  slotegrator: { merchant_id: 'merchant', merchant_key: 'merchant-key' },
  valkyrie: { token: 'pam-token', recon_token: 'a-recon-token-of-at-least-32-letters' },
};

/**
 * For each dialect, the code that asks the provider to try again. Failures of our own service must have this
 * code.
 */
export const retryable: Record<DialectName, string> = {
  softswiss: '500',
  hub88: 'RS_ERROR_UNKNOWN',
  slotegrator: 'INTERNAL_ERROR',
  valkyrie: 'PAM_ERR_TIMEOUT',
};

export const noFunds: Record<DialectName, string> = {
  softswiss: '100',
  hub88: 'RS_ERROR_NOT_ENOUGH_MONEY',
  slotegrator: 'INSUFFICIENT_FUNDS',
  valkyrie: 'PAM_ERR_CASH_OVERDRAFT',
};

interface Caller {
  readonly playerId: string;
  readonly session: string;
}

export type MakeRequest = (caller: Caller, now: Date) => ProviderRequest;
export interface Requests {
  bet(move: Move): MakeRequest;
  win(move: Move & { bet: string }): MakeRequest;
  rollback(move: { id: string; of: string; round: string }): MakeRequest;
  balance(): MakeRequest;
}

const decimal = (cents: number) => (cents / 100).toFixed(2);

const softswiss: Requests = (() => {
  const base = ({ playerId }: Caller) => ({ account_id: playerId, currency: 'EUR', game_id: 'dice' });
  const send = (path: string, content: object) => signSoftswiss('a-token', path, content);
  const play =
    (type: 'bet' | 'win', { id, amount, round, finished = false }: Move): MakeRequest =>
    (caller) =>
      send('/betwin', {
        ...base(caller),
        round_id: round,
        finished,
        transactions: [{ id_provider: id, type, amount: decimal(amount) }],
      });
  return {
    bet: (move) => play('bet', move),
    win: (move) => play('win', move),
    rollback:
      ({ id, of, round }) =>
      (caller) =>
        send('/rollback', {
          ...base(caller),
          round_id_provider: round,
          transactions: [{ id_provider: id, type: 'rollback', original_id_provider: of }],
        }),
    balance: () => (caller) => send('/balance', base(caller)),
  };
})();

const hub88: Requests = (() => {
  const send = (path: string, { playerId, session }: Caller, content: object) =>
    signHub88(privateKeyPem, path, {
      user: playerId,
      token: session,
      request_uuid: randomBytes(16).toString('hex'),
      currency: 'EUR',
      game_code: 'dice',
      ...content,
    });
  const play = ({ id, amount, round, finished = false }: Move) => ({
    transaction_uuid: id,
    amount: amount * 1000,
    round,
    round_closed: finished,
  });
  return {
    bet: (move) => (caller) => send('/transaction/bet', caller, play(move)),
    win: (move) => (caller) =>
      send('/transaction/win', caller, { ...play(move), reference_transaction_uuid: move.bet }),
    rollback:
      ({ id, of, round }) =>
      (caller) =>
        send('/transaction/rollback', caller, {
          transaction_uuid: id,
          reference_transaction_uuid: of,
          round,
        }),
    balance: () => (caller) => send('/user/balance', caller, {}),
  };
})();

const slotegrator: Requests = (() => {
  const merchant = { merchantId: 'merchant', merchantKey: 'merchant-key' };
  const send = ({ playerId }: Caller, now: Date, content: Record<string, string>) =>
    slotegratorSignature.signWalletRequest(
      merchant,
      { player_id: playerId, currency: 'EUR', game_uuid: 'dice', ...content },
      { timestamp: Math.floor(now.getTime() / 1000), nonce: randomBytes(16).toString('hex') },
    );
  const play =
    (action: 'bet' | 'win', { id, amount, round, finished }: Move): MakeRequest =>
    (caller, now) =>
      send(caller, now, {
        action,
        transaction_id: id,
        amount: decimal(amount),
        round_id: round,
        finished: finished ? '1' : '0',
      });
  return {
    bet: (move) => play('bet', move),
    win: (move) => play('win', move),
    rollback:
      ({ id, of, round }) =>
      (caller, now) =>
        send(caller, now, {
          action: 'refund',
          transaction_id: id,
          bet_transaction_id: of,
          round_id: round,
          amount: '0',
        }),
    balance: () => (caller, now) => send(caller, now, { action: 'balance' }),
  };
})();

const valkyrie: Requests = (() => {
  const send = ({ playerId, session }: Caller, path: string, content?: object): ProviderRequest => ({
    method: content ? 'POST' : 'GET',
    path: `/players/${playerId}/${path}`,
    query: 'provider=evolution',
    headers: signValkyrieRequest('pam-token', session),
    body: Buffer.from(content ? JSON.stringify(content) : ''),
  });
  const play =
    (type: string, move: Omit<Move, 'amount'> & { amount?: number; ref: string }): MakeRequest =>
    (caller) =>
      send(caller, 'transactions', {
        transactionType: type,
        cashAmount: (move.amount ?? 0) / 100,
        bonusAmount: 0,
        promoAmount: 0,
        currency: 'EUR',
        provider: 'evolution',
        transactionDateTime: '2026-01-02T03:04:05Z',
        providerTransactionId: move.id,
        providerBetRef: move.ref,
        providerGameId: 'dice',
        providerRoundId: move.round,
        isGameOver: move.finished ?? false,
      });
  return {
    bet: (move) => play('WITHDRAW', { ...move, ref: move.id }),
    win: (move) => play('DEPOSIT', { ...move, ref: move.bet }),
    rollback: ({ id, of, round }) => play('CANCEL', { id, round, ref: of }),
    balance: () => (caller) => send(caller, 'balance'),
  };
})();

export const requests: Record<DialectName, Requests> = { softswiss, hub88, slotegrator, valkyrie };

export function readAnswer(
  dialect: DialectName,
  status: number,
  body: Record<string, unknown>,
): DialectAnswer {
  const text = JSON.stringify({ ...body, request_uuid: undefined });
  const cents = (value: unknown, factor = 100) =>
    value === undefined ? undefined : Math.round(Number(value) * factor);
  const answer = (ok: boolean, balance: number | undefined, code: unknown) => ({
    ok,
    status,
    balance,
    code: ok ? '' : String(code),
    body: text,
  });
  // Without the database, the service may be unable to find the connection. The answer then has the form of
  // the service and not of the dialect.
  if (status === 503 && typeof body.code === 'string') return answer(false, undefined, retryable[dialect]);
  const meta = body.meta as { api_code?: string; balance?: string } | undefined;
  switch (dialect) {
    case 'softswiss':
      return answer(status === 200, cents(body.balance ?? meta?.balance), meta?.api_code);
    case 'hub88':
      return answer(body.status === 'RS_OK', cents(body.balance, 0.001), body.status);
    case 'slotegrator':
      return answer(body.error_code === undefined, cents(body.balance), body.error_code);
    case 'valkyrie': {
      const result = body.transactionResult as { balance?: { cashAmount: number } } | undefined;
      const balance = result?.balance ?? (body.balance as { cashAmount: number } | undefined);
      const { code } = (body.error ?? {}) as { code?: string };
      return answer(body.status === 'OK', cents(balance?.cashAmount), code);
    }
  }
}

/** Replaces the body of the request, and signs the request again with the provider's credentials. */
export function signAgain(dialect: DialectName, request: ProviderRequest, body: string): ProviderRequest {
  const { path, headers } = request;
  switch (dialect) {
    case 'softswiss':
      return signSoftswiss('a-token', path, body);
    case 'hub88':
      return signHub88(privateKeyPem, path, body);
    case 'valkyrie':
      return { ...request, body: Buffer.from(body) };
    case 'slotegrator': {
      const merchant = { merchantId: 'merchant', merchantKey: 'merchant-key' };
      const stamp = {
        timestamp: Number(headers['x-timestamp']),
        nonce: randomBytes(16).toString('hex'),
      };
      const signed = slotegratorSignature.signParams(merchant, new Map(new URLSearchParams(body)), stamp);
      return { ...request, headers: { ...headers, ...signed }, body: Buffer.from(body) };
    }
  }
}

export async function openDriver(
  given: Given,
  owner: GivenPackage,
  dialect: DialectName,
  /** The address of the service that gets the calls. By default, this is the service of the test. */
  service?: string,
): Promise<DialectDriver> {
  const wanted = { dialect, secrets: secrets[dialect] };
  const connection = await giveConnection(given, owner, wanted, service);
  const now = () => (service === undefined ? given.clock.now : new Date());
  const make = requests[dialect];
  const player: DialectDriver['player'] = async ({ balance = '100.00', playerId: known } = {}) => {
    const playerId = known ?? (await given.player(owner, { balance }));
    const session = `gs_${randomBytes(24).toString('base64url')}`;
    await insertSession(given.db, {
      packageId: owner.id,
      sessionId: session,
      accountId: await getAccount(given.db, owner.id, playerId),
      gameId: 'dice',
      mode: 'real',
      createdAt: now(),
      expiresAt: new Date(now().getTime() + 3_600_000),
      connectionId: connection.id,
    });
    const build = (request: MakeRequest) => request({ playerId, session }, now());
    const send = async (request: ProviderRequest) => {
      const { status, body } = await connection.send(request);
      return readAnswer(dialect, status, body as Record<string, unknown>);
    };
    return {
      playerId,
      session,
      build,
      send,
      buildBet: (move) => build(make.bet(move)),
      bet: (move) => send(build(make.bet(move))),
      win: (move) => send(build(make.win(move))),
      rollback: (move) => send(build(make.rollback(move))),
      balance: () => send(build(make.balance())),
    };
  };
  return { connection, player };
}
