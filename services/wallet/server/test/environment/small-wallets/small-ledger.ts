// The money of a small wallet: carries out canonical calls in memory, with one planted bug at most.
import type {
  CallResult,
  FailureCode,
  Leg,
  PlayCall,
  PlayedLeg,
  ProviderCall,
  SessionNeed,
} from '../../../src/connections/dialects/dialect.ts';
import type { Bug } from './bugs.ts';

interface Applied {
  /** The content of the transaction. All repeats have equal content. */
  readonly content: string;
  readonly id: string;
  readonly requestId: string | undefined;
  readonly leg: MoneyLeg;
  readonly change: bigint;
  /** The player's balance after the transaction. */
  readonly balance: bigint;
  readonly result: PlayedLeg['result'];
  readonly isRolledBack: boolean;
  readonly isSettled: boolean;
}

type MoneyLeg = Exclude<Leg, { type: 'end_round' }>;
type LegOf<T> = Extract<MoneyLeg, { type: T }>;
export type Journal = ReadonlyMap<string, Applied>;

/** The decision about a new leg: the change of the balance, or the reason of the refusal. */
type Decision = { readonly change: bigint; readonly result: PlayedLeg['result'] } | FailureCode;

export interface SmallLedgerTerms {
  /** The balance of Ann in cents; 100.00 by default. */
  readonly balance?: bigint;
  readonly maxStake?: bigint | undefined;
}

/** The players of a small wallet. Eve is blocked. Only Ann has money. */
export const people = { ann: 'ann', bob: 'bob', eve: 'eve' } as const;

/** The tokens of game sessions. The session `old` of Ann has expired. */
export const sessions = { ann: 'gs_ann', old: 'gs_old', bob: 'gs_bob', eve: 'gs_eve' } as const;

export const owners: ReadonlyMap<string, string> = new Map<string, string>([
  [sessions.ann, people.ann],
  [sessions.old, people.ann],
  [sessions.bob, people.bob],
  [sessions.eve, people.eve],
]);

export function createSmallLedger(bug: Bug | undefined, { balance = 10_000n, maxStake }: SmallLedgerTerms) {
  let balances = new Map<string, bigint>([
    [people.ann, balance],
    [people.bob, 0n],
    [people.eve, 0n],
  ]);
  let journal = new Map<string, Applied>();
  let tombstones = new Set<string>();
  const closedRounds = new Map<string, boolean>();
  let movements = 0;

  const balanceOf = (playerId: string) => balances.get(playerId) ?? 0n;

  const bet = ({ amount, purse, key }: LegOf<'bet'>, { playerId, roundId }: PlayCall): Decision => {
    if (roundId && !closedRounds.has(roundId)) closedRounds.set(roundId, false);
    const isBlocked = playerId === people.eve && bug !== 'accepts bets of blocked players';
    if (tombstones.has(key)) return 'bet_rolled_back';
    if (isBlocked) return 'player_blocked';
    if (maxStake !== undefined && amount > maxStake && bug !== 'accepts every stake') {
      return bug === 'answers the limit as missing funds' ? 'insufficient_funds' : 'bet_limit';
    }
    const available = purse === 'promo' ? 0n : balanceOf(playerId);
    const lacksFunds = amount > 0n && amount > available && bug !== 'lets a bet overdraw';
    return lacksFunds ? 'insufficient_funds' : { change: -amount, result: 'applied' };
  };

  const win = ({ key, amount, betKey, needsOpenRound }: LegOf<'win'>, call: PlayCall): Decision => {
    if (call.playerId === people.eve && bug === 'refuses wins of blocked players') return 'player_blocked';
    if (tombstones.has(key) || tombstones.has(betKey ?? '')) return 'bet_rolled_back';
    const isClosed = closedRounds.get(call.roundId ?? '');
    const of = journal.get(betKey ?? '');
    const mayLackBet = bug === 'pays wins without a bet';
    if (bug === 'refuses wins before their bets' && isClosed === undefined) return 'bet_not_found';
    if (!mayLackBet && ((needsOpenRound && isClosed === undefined) || (betKey && !of)))
      return 'bet_not_found';
    if (of?.isRolledBack && bug !== 'pays wins after a rollback') return 'bet_rolled_back';
    if (needsOpenRound && isClosed && bug !== 'pays wins in closed rounds') return 'round_closed';
    if (betKey && of) journal.set(betKey, { ...of, isSettled: true });
    return { change: amount, result: 'applied' };
  };

  const rollBack = ({ originalKey, undoes }: LegOf<'rollback'>, { playerId }: PlayCall): Decision => {
    const original = journal.get(originalKey);
    if (!original) {
      if (bug === 'refuses unknown rollbacks') return 'bet_refused';
      if (bug !== 'forgets tombstones') tombstones.add(originalKey);
      const isLikeOthers = bug === 'answers unknown rollbacks like others';
      return { change: 0n, result: isLikeOthers ? 'rolled_back' : 'tombstoned' };
    }
    const isSettled = original.isSettled && bug !== 'rolls settled bets back';
    if (undoes === 'open_bets' && isSettled) return 'bet_already_settled';
    if (original.isRolledBack && bug !== 'applies every rollback') {
      return { change: 0n, result: 'already_rolled_back' };
    }
    if (bug === 'keeps bets that are rolled back') return { change: 0n, result: 'rolled_back' };
    journal.set(originalKey, { ...original, isRolledBack: true });
    const lowest = bug === 'lets a reversal overdraw' ? -original.change : -balanceOf(playerId);
    return { change: -original.change < lowest ? lowest : -original.change, result: 'rolled_back' };
  };

  const decide = (leg: MoneyLeg, call: PlayCall): Decision => {
    if (leg.type === 'bet') return bet(leg, call);
    return leg.type === 'win' ? win(leg, call) : rollBack(leg, call);
  };

  const applyLeg = (leg: MoneyLeg, call: PlayCall, { known, requestId }: Asked): Shown | FailureCode => {
    const content = describeContent(leg, call);
    const before = known.get(leg.key);
    const isRequest = before?.requestId === requestId || bug !== 'compares request ids only';
    if (before && isRequest && !appliesAgain(bug, leg)) {
      const isOther = before.content !== content && bug !== 'accepts other content under an id';
      if (isOther || bug === 'refuses repeats') return 'transaction_conflict';
      const id = bug === 'answers a repeat with another id' ? `again-${++movements}` : before.id;
      return { id, isRepeated: true, result: before.result, balance: before.balance };
    }
    const decision = decide(leg, call);
    if (typeof decision === 'string') return decision;
    const balance = balanceOf(call.playerId) + decision.change;
    balances.set(call.playerId, balance);
    const states = { isRolledBack: false, isSettled: false };
    const entry = { content, id: `own-${++movements}`, requestId, leg, balance, ...decision, ...states };
    journal.set(leg.key, entry);
    return { id: entry.id, isRepeated: false, result: entry.result, balance };
  };

  const endRound = ({ playerId, roundId = '' }: PlayCall): Shown | FailureCode => {
    const isRefused = closedRounds.get(roundId) && bug === 'refuses to end a round twice';
    if (isRefused) return 'round_closed';
    return { id: 'end', isRepeated: false, result: 'closed', balance: balanceOf(playerId) };
  };

  const play = (call: PlayCall, asked: Asked): CallResult => {
    const { playerId, roundId } = call;
    const saved = [new Map(balances), new Map(journal), new Set(tombstones)] as const;
    const shown = new Map<Leg, Shown>();
    for (const leg of orderLegs(bug, call.legs)) {
      const done = leg.type === 'end_round' ? endRound(call) : applyLeg(leg, call, asked);
      if (typeof done === 'string') {
        if (bug !== 'applies half a batch') [balances, journal, tombstones] = saved;
        return { kind: 'failed', code: done, leg: call.legs.indexOf(leg), ...showBalances(playerId) };
      }
      shown.set(leg, done);
      if (bug === 'applies the first of several transactions' && leg.type === 'rollback') break;
    }
    if (roundId && call.roundFinished) closedRounds.set(roundId, true);
    const legs = call.legs.flatMap((leg) => shown.get(leg) ?? []);
    const isStored = legs.some(({ isRepeated }) => isRepeated) && asked.repeatBalance === 'stored';
    const cash = isStored ? (legs.at(-1)?.balance ?? 0n) : balanceOf(playerId);
    return { kind: 'played', legs, roundId: roundId && 'own-round', balances: { cash, promo: 0n } };
  };

  const showBalances = (playerId: string) =>
    bug === 'shows no balance in refusals' ? {} : { balances: { cash: balanceOf(playerId), promo: 0n } };

  const run = (call: ProviderCall, asked: Asked): CallResult => {
    if ('token' in call) return readSession(bug, call.token);
    const { playerId } = call;
    if (!balances.has(playerId)) {
      if (bug !== 'opens unknown players') return { kind: 'failed', code: 'player_not_found' };
      balances.set(playerId, 10_000n);
    }
    const code = checkSession(bug, call.session, playerId);
    if (code) return { kind: 'failed', code, ...showBalances(playerId) };
    if (call.kind === 'play') return play(call, asked);
    if (call.kind === 'transactions') return findTransactions(bug, journal, call.keys);
    return { kind: 'balance', balances: { cash: balanceOf(playerId), promo: 0n } };
  };

  return { run, hasPlayer: (id: string) => balances.has(id), balanceOf, copyJournal: () => new Map(journal) };
}

type Shown = PlayedLeg & { readonly balance: bigint };

interface Asked {
  /** The transactions that were stored before the call. */
  readonly known: Journal;
  readonly requestId: string | undefined;
  readonly repeatBalance: 'stored' | 'present';
}

function describeContent(leg: MoneyLeg, { playerId, roundId }: PlayCall): string {
  const amount = leg.type === 'rollback' ? leg.originalKey : leg.amount;
  return [leg.type, amount, playerId, roundId].join(' ');
}

const appliesAgain = (bug: Bug | undefined, { type }: MoneyLeg): boolean =>
  type === 'rollback' ? bug === 'applies every rollback' : bug === 'applies repeats';

/**
 * Sorts the legs into the order in which a wallet with this bug applies them. A wallet that applies only half
 * of a batch applies the cash legs first.
 */
const orderLegs = (bug: Bug | undefined, legs: readonly Leg[]): readonly Leg[] => {
  if (bug === 'applies wins of a batch first') return [...legs].sort((a, b) => rank(a) - rank(b));
  return bug === 'applies half a batch' ? [...legs].sort((a, b) => purseRank(a) - purseRank(b)) : legs;
};

const rank = ({ type }: Leg): number => (type === 'win' ? 0 : 1);
const purseRank = (leg: Leg): number => (leg.type !== 'end_round' && leg.purse === 'promo' ? 1 : 0);

function checkSession(bug: Bug | undefined, { token, needs }: SessionNeed, playerId: string) {
  if (needs === 'nothing' || bug === 'checks no session') return undefined;
  const owner = owners.get(token ?? '');
  const isForeign = owner !== playerId && bug !== 'accepts sessions of other players';
  if (owner === undefined || isForeign) return 'session_not_found';
  const isExpired = token === sessions.old && bug !== 'accepts bets with an expired session';
  return isExpired && needs === 'running' ? 'session_expired' : undefined;
}

function readSession(bug: Bug | undefined, token: string | undefined): CallResult {
  const owner = bug === 'shows another player' ? people.bob : owners.get(token ?? '');
  if (owner === undefined) return { kind: 'failed', code: 'session_not_found' };
  return { kind: 'session', session: { token: token ?? '', playerId: owner, gameId: 'dice' } };
}

function findTransactions(bug: Bug | undefined, journal: Journal, keys: readonly string[]): CallResult {
  // A transaction is found by its key or, if it has a `nameKey`, by its `nameKey`.
  const isWanted = (key: string, { nameKey }: { nameKey?: string }) =>
    keys.includes(key) || (nameKey !== undefined && keys.includes(nameKey));
  const stored = bug === 'finds no transactions' ? [] : [...journal];
  const found = stored.flatMap(([key, entry]) => (isWanted(key, entry.leg) ? [entry] : []));
  const transactions = found.map(({ leg }) => ({
    ...{ key: leg.key, transactionId: leg.transactionId, type: leg.type, purse: leg.purse },
    ...{ amount: leg.type === 'rollback' ? 0n : leg.amount, gameId: 'dice', roundId: undefined },
    at: new Date(0),
  }));
  return { kind: 'transactions', transactions };
}
