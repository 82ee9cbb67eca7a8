// Requests in Valkyrie's format, and a wallet in memory that applies them with the rules of the ledger.
import type {
  CallResult,
  PlayCall,
  ProviderCall,
  ProviderRequest,
  Terms,
} from '../../src/connections/dialects/dialect.ts';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { valkyrie } from '../../src/connections/dialects/valkyrie/valkyrie.ts';
import { hashKey, hashRoundOf, resolveName, toBatch } from '../../src/connections/to-batch.ts';
import type { BatchCommand } from '../../src/ledger/rules/command.ts';
import { decideBatch } from '../../src/ledger/rules/decide-batch.ts';
import type { Decision } from '../../src/ledger/rules/decision.ts';
import { type Movement, promoAccountOf } from '../../src/ledger/rules/movement.ts';
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
const connectionId = 'con_1';

interface GivenWallet {
  readonly sharesNames?: boolean;
  readonly maxStake?: bigint;
  readonly cash?: bigint;
}

/**
 * Creates a wallet in which every player has 10 in promo money and, by default, 1000 in cash. The session
 * `gs_old` is expired.
 */
export function createPamWallet(given: GivenWallet = {}) {
  const ownTerms: Terms = { ...terms, sharesNames: given.sharesNames ?? false };
  const zero = { lastSequence: 0n };
  const state = createState({
    packageId: 1,
    overdraftLimit: 0n,
    sequence: 0n,
    nowMs: 0,
    accounts: Object.values(accounts).flatMap((id) => [
      [id, { balance: (given.cash ?? 1000n) * 100_000n, ...zero }],
      [promoAccountOf(id), { balance: 1_000_000n, ...zero }],
    ]),
  });
  const blocked = new Set<string>();
  /** The movements that have a name, by the hash of the name. */
  const named = new Map<string, Movement>();
  const balancesOf = (playerId: string) => ({
    cash: state.getAccount(accounts[playerId] ?? 0n).balance,
    promo: state.getAccount(promoAccountOf(accounts[playerId] ?? 0n)).balance,
  });

  const apply = (decisions: readonly Decision[]) => {
    let last: Movement | undefined;
    for (const decision of decisions) {
      applyDecision(state, decision);
      last = decision.movements.at(-1) ?? last;
      if (decision.bet?.status === 'named' && last) named.set(decision.bet.hash, last);
    }
  };

  const submit = (call: PlayCall, command: BatchCommand): CallResult => {
    const { outcome, legs: decisions } = decideBatch(state, command);
    apply(decisions);
    const balances = balancesOf(call.playerId);
    if (outcome.kind === 'leg_conflict') {
      const { leg, field } = outcome;
      return { kind: 'failed', code: 'transaction_conflict', leg, field, balances };
    }
    if (outcome.kind === 'request_repeated') throw new Error('the dialect names no requests');
    if (outcome.kind === 'name_known') {
      const movement = named.get(outcome.hash);
      if (!movement) throw new Error('a known name has no movement');
      const resolved = resolveName(call, command, outcome, movement);
      if ('command' in resolved) return submit(call, resolved.command);
      return { kind: 'failed', code: 'transaction_conflict', field: resolved.conflict, balances };
    }
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

  /** The reason why the session does not allow a call; undefined if the session allows the call. */
  const checkSession = ({ playerId, session }: PlayCall | Extract<ProviderCall, { kind: 'balance' }>) => {
    if (accounts[playerId] === undefined) return 'player_not_found';
    const { token, needs } = session;
    if (needs !== 'nothing' && !token?.startsWith('gs_')) return 'session_not_found';
    return needs === 'running' && token === 'gs_old' ? 'session_expired' : undefined;
  };

  const play = (call: PlayCall): CallResult => {
    const failure = checkSession(call);
    if (failure && failure !== 'session_expired') return { kind: 'failed', code: failure };
    const blockedBy = failure ?? (blocked.has(call.playerId) ? 'player_blocked' : undefined);
    const limits = { blockedBy, maxStake: given.maxStake } as const;
    return submit(call, toBatch(connectionId, call, accounts[call.playerId] ?? 0n, limits));
  };

  const readBalance = (call: Extract<ProviderCall, { kind: 'balance' }>): CallResult => {
    const code = checkSession(call);
    if (code === 'session_expired') return { kind: 'failed', code, balances: balancesOf(call.playerId) };
    return code ? { kind: 'failed', code } : { kind: 'balance', balances: balancesOf(call.playerId) };
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
    const parsed = valkyrie.parse(request, ownTerms, secrets);
    if ('invalid' in parsed) return JSON.parse(parsed.invalid.body);
    const { call, context } = parsed;
    let result: CallResult;
    if (call.kind === 'play') result = play(call);
    else if (call.kind === 'balance') result = readBalance(call);
    else if (call.kind === 'transactions') {
      const found = new Map<bigint, ReturnType<typeof toFound>>();
      for (const key of call.keys) {
        const hash = hashKey(connectionId, key);
        const movement = state.movements.get(hash) ?? named.get(hash);
        if (movement) found.set(movement.sequence, toFound(key, movement));
      }
      result = { kind: 'transactions', transactions: [...found.values()] };
    } else throw new Error(`${call.kind} is not simulated`);
    return JSON.parse(valkyrie.present(result, context, ownTerms).body);
  };

  return {
    send,
    block: (playerId: string) => blocked.add(playerId),
    /** The status of the cash part and of the promo part of ann's round. */
    listParts: (roundId: string) => {
      const hash = hashRoundOf(connectionId, roundId);
      const parts = [2001n, promoAccountOf(2001n)].map((account) => state.findRound({ hash, account }));
      return parts.map((part) => part?.status);
    },
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
