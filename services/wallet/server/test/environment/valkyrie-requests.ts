// Requests in Valkyrie's format, and a wallet in memory that applies them with the rules of the ledger.
import type {
  CallResult,
  PlayCall,
  ProviderRequest,
  Purse,
  Terms,
} from '../../src/connections/dialects/dialect.ts';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { valkyrie } from '../../src/connections/dialects/valkyrie/valkyrie.ts';
import type { BetBlock, GameCommand } from '../../src/ledger/rules/command.ts';
import { decideBatch } from '../../src/ledger/rules/decide-batch.ts';
import type { Movement } from '../../src/ledger/rules/movement.ts';
import { applyDecision, createState } from '../../src/ledger/rules/state.ts';

export const secrets = [{ token: 'pam-token', recon_token: 'RECON_TOKEN_LONGER_THAN_32_CHARACTERS' }];
export const recon = 'RECON_TOKEN_LONGER_THAN_32_CHARACTERS';
export const terms: Terms = { currency: 'EUR', decimals: 5, currencies: {}, gamePrefix: '' };

export interface Given {
  method?: string;
  path?: string;
  query?: string;
  bearer?: string;
  player?: string;
  body?: unknown;
}

export function requestOf(given: Given = {}): ProviderRequest {
  const { body, bearer = 'pam-token', player = 'gs_ann' } = given;
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return {
    method: given.method ?? (body === undefined ? 'GET' : 'POST'),
    path: given.path ?? (body === undefined ? '/players/ann/balance' : '/players/ann/transactions'),
    query: given.query ?? 'provider=evolution',
    headers: signValkyrieRequest(bearer, player === '' ? undefined : player),
    body: Buffer.isBuffer(body) ? body : Buffer.from(text, 'utf8'),
  };
}

export const bodyOf = (type: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  currency: 'EUR',
  provider: 'evolution',
  transactionType: type,
  cashAmount: 10,
  bonusAmount: 0,
  promoAmount: 0,
  transactionDateTime: '2026-01-02T03:04:05.678901234Z',
  providerTransactionId: 't1',
  providerGameId: 'someLiveGame',
  providerRoundId: 'r1',
  ...more,
});

interface Answer {
  /** `OK`, or the code of the error in the answer. */
  readonly code: string;
  readonly id: string | undefined;
  readonly balance: string | undefined;
}

const accounts: Record<string, bigint> = { ann: 2001n, bob: 3001n };

/**
 * Creates a wallet in which every player has 1000 in cash and 10 in promo money. The session `gs_old` is
 * expired.
 */
export function createPamWallet() {
  const zero = { lastSequence: 0n };
  const state = createState({
    packageId: 1,
    overdraftLimit: 0n,
    sequence: 0n,
    nowMs: 0,
    accounts: Object.values(accounts).flatMap((id) => [
      [id, { balance: 100_000_000n, ...zero }],
      [id + 1n, { balance: 1_000_000n, ...zero }],
    ]),
  });
  const blocked = new Set<string>();
  const accountOf = (playerId: string, purse: Purse) =>
    (accounts[playerId] ?? 0n) + (purse === 'promo' ? 1n : 0n);
  const balancesOf = (playerId: string) => ({
    cash: state.getAccount(accountOf(playerId, 'cash')).balance,
    promo: state.getAccount(accountOf(playerId, 'promo')).balance,
  });

  const toCommand = (call: PlayCall, index: number, blockedBy: BetBlock | undefined): GameCommand => {
    const leg = call.legs[index];
    if (!leg || leg.type === 'end_round') throw new Error('not a leg of this dialect');
    const { roundId, gameId, roundFinished } = call;
    const common = {
      idHash: leg.key,
      transactionId: leg.transactionId,
      account: accountOf(call.playerId, leg.purse),
      gameId,
      round: roundId === undefined ? undefined : { id: roundId, hash: roundId },
      roundFinished: roundFinished && index === call.legs.length - 1,
    };
    if (leg.type === 'bet') return { type: 'bet', ...common, amount: leg.amount, blockedBy };
    if (leg.type === 'win') {
      const { amount, needsOpenRound, betKey: referenceHash } = leg;
      return { type: 'win', ...common, amount, needsOpenRound, referenceHash, isReversible: true };
    }
    const { originalKey: referenceHash, undoes } = leg;
    return { type: 'rollback', ...common, referenceHash, referenceAsWinHash: referenceHash, undoes };
  };

  const play = (call: PlayCall): CallResult => {
    if (accounts[call.playerId] === undefined) return { kind: 'failed', code: 'player_not_found' };
    const { token, needs } = call.session;
    const isKnown = token?.startsWith('gs_') ?? false;
    if (needs !== 'nothing' && !isKnown) return { kind: 'failed', code: 'session_not_found' };
    const isBlocked = blocked.has(call.playerId);
    const isExpired = needs === 'running' && token === 'gs_old';
    const block = isExpired ? 'session_expired' : isBlocked ? 'player_blocked' : undefined;
    const legs = call.legs.map((_leg, index) => toCommand(call, index, block));
    const { outcome, legs: decisions } = decideBatch(state, { type: 'batch', legs });
    for (const decision of decisions) applyDecision(state, decision);
    const balances = balancesOf(call.playerId);
    if (outcome.kind === 'leg_conflict') {
      const { leg, field } = outcome;
      return { kind: 'failed', code: 'transaction_conflict', leg, field, balances };
    }
    if (outcome.kind === 'request_repeated') throw new Error('the dialect names no requests');
    if (outcome.kind === 'leg_refused') {
      return { kind: 'failed', code: outcome.code as 'round_closed', leg: outcome.leg, balances };
    }
    const played = outcome.legs.map(({ kind, movement }) => ({
      id: String(movement.sequence),
      isRepeated: kind === 'repeated',
      result: movement.result as 'applied',
    }));
    return { kind: 'played', legs: played, roundId: call.roundId, balances };
  };

  const toFound = (key: string, movement: Movement) => ({
    key,
    transactionId: movement.transactionId,
    type: movement.kind as 'bet',
    purse: key.startsWith('promo ') ? ('promo' as const) : ('cash' as const),
    amount: movement.amount,
    gameId: movement.gameId,
    roundId: undefined,
    at: new Date(0),
  });

  const send = (request: ProviderRequest) => {
    const parsed = valkyrie.parse(request, terms, secrets);
    if ('invalid' in parsed) return JSON.parse(parsed.invalid.body);
    const { call, context } = parsed;
    let result: CallResult;
    if (call.kind === 'play') result = play(call);
    else if (call.kind === 'transactions') {
      const found = call.keys.flatMap((key) => {
        const movement = state.movements.get(key);
        return movement ? [toFound(key, movement)] : [];
      });
      result = { kind: 'transactions', transactions: found };
    } else throw new Error(`${call.kind} is not simulated`);
    return JSON.parse(valkyrie.present(result, context, terms).body);
  };

  return {
    send,
    block: (playerId: string) => blocked.add(playerId),
    transact: (type: string, more: Record<string, unknown> = {}, given: Given = {}): Answer => {
      const answer = send(requestOf({ ...given, body: bodyOf(type, more) }));
      const { transactionId, balance } = answer.transactionResult ?? {};
      return {
        code: answer.error?.code ?? answer.status,
        id: transactionId,
        balance: balance && `${balance.cashAmount}+${balance.promoAmount}`,
      };
    },
    lookUp: (query: string): string[] => {
      const path = '/players/ann/transactions';
      const answer = send(requestOf({ path, query: `provider=evolution&${query}` }));
      return (answer.transactions ?? []).map((each: { transactionType: string }) => each.transactionType);
    },
  };
}
