// Carries out a provider's canonical call and describes the result. Money moves in the ledger only.
import { isPlayable } from '../callbacks/find-running-session.ts';
import { type BatchReceipt, type Ledger, LedgerFailure } from '../ledger/engine/ledger.ts';
import { findMovementOfRequest, listNamedMovements } from '../ledger/queries.ts';
import type { RefusalStore } from '../ledger/refused-requests.ts';
import type { BatchCommand } from '../ledger/rules/command.ts';
import type { BatchOutcome } from '../ledger/rules/decision.ts';
import { getSubject, type Movement, promoAccountOf } from '../ledger/rules/movement.ts';
import { type CustomerPackage, findMaxStake } from '../packages/customer-package.ts';
import type { AccountFinder } from '../players/find-account.ts';
import type { StatusFinder } from '../players/find-status.ts';
import type {
  Balances,
  CallResult,
  Dialect,
  FailureCode,
  PlayCall,
  PlayedLeg,
  ProviderCall,
  SessionNeed,
} from './dialects/dialect.ts';
import type { FoundConnection } from './find-connection.ts';
import { findFirstRefusal } from './repeat-requests.ts';
import { belongsTo, findPlayerOf, type LookupDeps, runLookup, runSessionCall } from './run-lookup.ts';
import { type Limits, resolveName, toBatch } from './to-batch.ts';

export interface CallDeps extends LookupDeps {
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly statuses: StatusFinder;
  readonly refusals: RefusalStore;
  /** Opens the player's promo account if it does not exist. */
  readonly openPromoAccount: (packageId: number, account: bigint) => Promise<void>;
}

export interface Called {
  readonly found: FoundConnection;
  readonly dialect: Pick<Dialect, 'repeatBalance' | 'showsPromo'>;
  /**
   * Whether the call was answered, which happens at the deadline at the latest. After the answer, nothing may
   * be submitted.
   */
  readonly isAnswered: () => boolean;
}

const failed = (code: FailureCode, more: { balances?: Balances; field?: string; leg?: number } = {}) =>
  ({ kind: 'failed', code, ...more }) as const;

/**
 * Carries the call out. The promise never rejects: a failure of the ledger or the database is a result too.
 */
export async function runCall(deps: CallDeps, called: Called, call: ProviderCall): Promise<CallResult> {
  try {
    if ('token' in call) {
      return await runSessionCall(deps, called.found, call);
    }
    if (call.playerOf === undefined) return await runForPlayer(deps, called, call);
    const playerId = await findPlayerOf(deps, called.found, call.playerOf);
    if (playerId === undefined) return failed('session_not_found');
    return { ...(await runForPlayer(deps, called, { ...call, playerId })), playerId };
  } catch (error) {
    return failed(toFailureCode(error));
  }
}

/**
 * Converts an error to a failure code. The code of a ledger error says whether the call may have been
 * applied. All other database errors come from reads, which change nothing.
 */
export function toFailureCode(error: unknown): FailureCode {
  if (error instanceof LedgerFailure) return error.code;
  return (error as { name?: unknown }).name === 'DatabaseUnavailableError' ? 'unavailable' : 'internal_error';
}

async function runForPlayer(
  deps: CallDeps,
  called: Called,
  call: Exclude<ProviderCall, { token: string | undefined }>,
): Promise<CallResult> {
  const { id: packageId } = called.found.customerPackage;
  if (call.kind === 'play' && deps.ledger.isFull(packageId)) return failed('overloaded');
  const { playerId } = call;
  const account = deps.accounts.peek(packageId, playerId) ?? (await deps.accounts.find(packageId, playerId));
  if (account === undefined) return failed('player_not_found');
  const { needs } = call.session;
  const session =
    needs === 'nothing' ? undefined : await checkSession(deps, called.found, call.session, account);
  if (session === 'session_not_found') return failed(session);
  if (call.kind === 'play') return play(deps, called, call, { account, session });
  if (session !== undefined) return failed(session, { balances: await deps.purses.read(packageId, account) });
  if (call.kind === 'balance')
    return { kind: 'balance', balances: await deps.purses.read(packageId, account) };
  const found = await runLookup(deps, called.found, call, account);
  return found.kind === 'failed' ? { ...found, balances: await deps.purses.read(packageId, account) } : found;
}

/**
 * Returns the reason why the session does not allow the call; undefined if the session allows the call. Call
 * this function only if `needs` is not `nothing`.
 */
async function checkSession(
  deps: CallDeps,
  { connection, customerPackage }: FoundConnection,
  { token, needs }: SessionNeed,
  account: bigint,
): Promise<'session_not_found' | 'session_expired' | undefined> {
  const session = token === undefined ? undefined : await deps.sessions.find(customerPackage.id, token);
  if (!session || session.accountId !== account || !belongsTo(session, connection))
    return 'session_not_found';
  return needs === 'known' || isPlayable(session, deps.now()) ? undefined : 'session_expired';
}

export const takesMoney = ({ legs }: PlayCall): boolean => legs.some((leg) => leg.type === 'bet');

async function play(
  deps: CallDeps,
  called: Called,
  call: PlayCall,
  { account, session }: { account: bigint; session: 'session_expired' | undefined },
): Promise<CallResult> {
  const { connection, customerPackage } = called.found;
  const { id: packageId } = customerPackage;
  const limits = takesMoney(call) ? await findLimits(deps, customerPackage, call, session) : noLimits;
  let command = toBatch(connection.id, call, account, limits);
  for (let tries = 0; tries < maxNames; tries++) {
    const receipt = await submit(deps, called, { command, account });
    if (!receipt) return failed('player_not_found');
    const { outcome } = receipt;
    if (outcome.kind === 'request_repeated') {
      if (call.isRequestBound) return failed('transaction_conflict', { leg: 0, field: 'transactions' });
      return answerRepeatedRequest(deps, called.found, { call, command, account });
    }
    if (outcome.kind !== 'name_known') {
      const { alsoRead: promo } = receipt;
      return toResult(deps, called, call, { account, outcome, promo, roundHash: findRoundHash(command) });
    }
    const [named] = await listNamedMovements(deps.db, packageId, [outcome.hash]);
    if (!named) break;
    const resolved = resolveName(call, command, outcome, named.movement);
    if ('conflict' in resolved) {
      const balances = await deps.purses.read(packageId, account);
      return failed('transaction_conflict', { leg: outcome.leg, field: resolved.conflict, balances });
    }
    ({ command } = resolved);
  }
  return failed('internal_error');
}

/**
 * The maximum number of tries. Each try except the last may find one name that the ledger knows. A call has
 * at most four names: each of its two legs has its own name and the name of its original.
 */
const maxNames = 5;

async function submit(
  deps: CallDeps,
  { found, dialect, isAnswered }: Called,
  { command, account }: { command: BatchCommand; account: bigint },
): Promise<BatchReceipt | undefined> {
  const { id: packageId, overdraftLimit } = found.customerPackage;
  const alsoReads = dialect.showsPromo ? promoAccountOf(account) : undefined;
  const send = () => {
    if (isAnswered()) throw new LedgerFailure('outcome_unknown');
    return deps.ledger.submitBatch({ packageId, overdraftLimit, command, alsoReads });
  };
  const receipt = await send();
  if (receipt || command.legs.every((leg) => leg.account === account)) return receipt;
  await deps.openPromoAccount(packageId, account);
  return send();
}

/**
 * Answers a request whose id was used before for different transactions. The caller gets the answer to the
 * first request with this id.
 */
async function answerRepeatedRequest(
  { db, refusals }: CallDeps,
  { customerPackage: { id: packageId } }: FoundConnection,
  { call, command, account }: { call: PlayCall; command: BatchCommand; account: bigint },
): Promise<CallResult> {
  const { requestHash = '' } = command;
  const movement = await findMovementOfRequest(db, packageId, requestHash);
  if (!movement) {
    const { playerId } = call;
    const refusal = await findFirstRefusal(refusals, { packageId, requestHash, playerId });
    return refusal ?? failed('internal_error');
  }
  const subject = getSubject(movement);
  if (subject.account !== account) return failed('transaction_conflict', { leg: 0, field: 'player_id' });
  const legs = [presentLeg({ kind: 'repeated', movement })];
  return {
    kind: 'played',
    legs,
    roundId: movement.roundHash,
    balances: { cash: subject.balance, promo: 0n },
  };
}

const noLimits: Limits = { blockedBy: undefined, maxStake: undefined };

/**
 * Finds the limits of new bets. The limits do not apply to a repeat of a stored bet. The repeat gets its
 * first answer.
 */
async function findLimits(
  { statuses }: CallDeps,
  customerPackage: CustomerPackage,
  { playerId }: PlayCall,
  session: 'session_expired' | undefined,
): Promise<Limits> {
  const { id: packageId } = customerPackage;
  const standing = statuses.peek(packageId, playerId) ?? (await statuses.find(packageId, playerId));
  const isActive = standing?.status === 'active';
  const blockedBy = session ?? (isActive ? undefined : 'player_blocked');
  return { blockedBy, maxStake: findMaxStake(customerPackage, standing) };
}

/** The hash of the round that all legs name. */
const findRoundHash = ({ legs: [leg] }: BatchCommand): string | undefined => leg?.round?.hash;

interface Played {
  readonly account: bigint;
  /** The promo balance after the call, if the ledger knows it. */
  readonly promo: bigint | undefined;
  readonly roundHash: string | undefined;
  readonly outcome: Exclude<BatchOutcome, { kind: 'request_repeated' | 'name_known' }>;
}

async function toResult(
  deps: CallDeps,
  { found, dialect }: Called,
  call: PlayCall,
  { account, outcome, promo, roundHash }: Played,
): Promise<CallResult> {
  const { id: packageId } = found.customerPackage;
  const read = () => deps.purses.read(packageId, account);
  if (outcome.kind === 'leg_conflict') {
    const { leg, field } = outcome;
    return failed('transaction_conflict', { leg, field, balances: await read() });
  }
  if (outcome.kind === 'leg_refused') {
    const { leg, code, balance } = outcome;
    const isCash = call.legs[leg]?.type === 'end_round' || !isPromoLeg(call, leg);
    const balances = dialect.showsPromo || !isCash ? await read() : { cash: balance, promo: 0n };
    return failed(code === 'package_credit_exhausted' ? 'internal_error' : code, { leg, balances });
  }
  const isPresent =
    dialect.repeatBalance === 'present' && outcome.legs.some(({ kind }) => kind === 'repeated');
  const shownPromo = dialect.showsPromo ? promo : 0n;
  return {
    kind: 'played',
    legs: outcome.legs.map(presentLeg),
    roundId: roundHash,
    balances: (isPresent ? undefined : findBalances(outcome, account, shownPromo)) ?? (await read()),
  };
}

const isPromoLeg = ({ legs }: PlayCall, index: number): boolean => {
  const leg = legs[index];
  return leg !== undefined && leg.type !== 'end_round' && leg.purse === 'promo';
};

/**
 * Returns the balance after the newest movement of the cash account, with the promo balance. Returns
 * undefined if one of the two balances is unknown.
 */
function findBalances(
  { legs }: Extract<BatchOutcome, { kind: 'batch' }>,
  account: bigint,
  promo: bigint | undefined,
): Balances | undefined {
  let found: Movement | undefined;
  for (const { movement } of legs) {
    if (getSubject(movement).account !== account) continue;
    if (!found || movement.sequence > found.sequence) found = movement;
  }
  return found && promo !== undefined ? { cash: getSubject(found).balance, promo } : undefined;
}

const presentLeg = ({
  kind,
  movement,
}: Extract<BatchOutcome, { kind: 'batch' }>['legs'][number]): PlayedLeg => ({
  id: movement.idHash,
  isRepeated: kind === 'repeated',
  result: movement.result as PlayedLeg['result'],
});
