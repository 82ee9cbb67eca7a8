// Loads, decides and writes one batch. If another process wrote first, all three steps are repeated.
import { type Db, isUniqueViolation, type Queryable, type Tx } from '@counterfoil/kit/postgres/db';
import { creditAccount, isOfGame } from '../rules/movement.ts';
import { hasGames, type PackageEffects } from '../store/batch-columns.ts';
import { type Head, lockHeads, selectHeads, type WriteResult, writeBatch } from '../store/ledger-store.ts';
import { writePackage, writePackageWithin } from '../store/package-store.ts';
import { applyBatch } from './apply-batch.ts';
import { assertDecided } from './assert-decided.ts';
import type { LedgerCache } from './cache.ts';
import { createLoaded, type Loaded, loadBatch } from './load-batch.ts';
import type { AnyOrder, AnyReceipt } from './pending-order.ts';
import type { RepeatDetector } from './repeat-detector.ts';

/**
 * The events that `LedgerCounters` counts. `write`: a batch is sent to the database. `locked`: the journal
 * heads are locked before a decision. Each other kind is a reason why a batch has to be decided again.
 */
export type RoundTrip = 'write' | 'stale' | 'known' | 'unforeseen' | 'locked';

export interface CommitDeps {
  /** Database connections that only the ledger uses. One batch is in flight at a time. */
  readonly db: Db;
  readonly cache: LedgerCache;
  readonly now: () => Date;
  /** Whether each batch has the orders of one package only, and no statement concerns several packages. */
  readonly onePackage: boolean;
  readonly repeats: RepeatDetector;
  readonly onRoundTrip?: (kind: RoundTrip) => void;
  /**
   * Called right after the cache has stored the committed effects, in the same iteration of the event loop.
   */
  readonly onWritten?: (packageId: number, playersVersion: string) => void;
}

/**
 * The number of attempts that may fail because the cached state is outdated. The next attempt locks the heads
 * and reads everything again.
 */
const optimisticTries = 2;
const maxTries = 8;

type Receipts = (AnyReceipt | undefined)[];

/** The effects of a batch, and the sequence of each journal head at the time of the decision. */
interface Committed {
  readonly receipts: Receipts;
  readonly effects: readonly PackageEffects[];
  readonly sequences: ReadonlyMap<number, bigint>;
  readonly at: Date;
  /** Entry i is the `players_version` of the package of `effects[i]`. */
  readonly versions: readonly string[];
}

/** The number of times that an open refusal is decided again before the journal heads are locked. */
const maxRereads = 2;

export interface CommittedBatch {
  /**
   * Entry i belongs to order i of the batch. An entry is undefined if its order needs an account that does
   * not exist.
   */
  readonly receipts: Receipts;
  /** The indexes of refused orders that must be decided again, because their refusal may be outdated. */
  readonly old: readonly number[];
}

/** Commits a batch of orders. `rereads` is the number of times that these orders were decided before. */
export async function commitBatch(
  deps: CommitDeps,
  orders: readonly AnyOrder[],
  rereads: number,
): Promise<CommittedBatch> {
  const isLocked = rereads >= maxRereads;
  deps.cache.evictExcess();
  const done = isLocked
    ? await deps.db.transaction((tx) => runLocked(deps, tx, orders))
    : await tryOptimistically(deps, orders);
  // Effects are cached only now, because the database has confirmed the commit.
  for (const [i, effect] of done.effects.entries()) {
    storeEffects(deps.cache, effect, done.at);
    deps.onWritten?.(effect.packageId, done.versions[i] ?? '');
  }
  const heads = await readUnwrittenHeads(deps.db, orders, done);
  const receipts = done.receipts.map((receipt, i) => withCredit(receipt, heads.get(packageOf(orders, i))));
  const old = isLocked ? [] : findOldRefusals(orders, done, heads);
  for (const i of old) deps.cache.invalidate(packageOf(orders, i));
  return { receipts, old };
}

const packageOf = (orders: readonly AnyOrder[], i: number): number => orders[i]?.packageId ?? 0;

/**
 * Reads the heads of the packages for which the batch wrote nothing, because the write has not checked these
 * packages. The heads contain the current credit and show whether another process has written meanwhile. If
 * this read fails, the answers stay as they are.
 */
async function readUnwrittenHeads(
  db: Queryable,
  orders: readonly AnyOrder[],
  done: Committed,
): Promise<Map<number, Head>> {
  const written = new Set(done.effects.map((effect) => effect.packageId));
  const unwritten = new Set(
    orders.map((order) => order.packageId).filter((packageId) => !written.has(packageId)),
  );
  if (unwritten.size === 0) return new Map();
  const heads = await selectHeads(db, [...unwritten]).catch(() => []);
  return new Map(heads.map((head) => [head.packageId, head]));
}

function withCredit(receipt: AnyReceipt | undefined, head: Head | undefined): AnyReceipt | undefined {
  const credit = head?.accounts.get(creditAccount)?.balance;
  return receipt && credit !== undefined ? { outcome: receipt.outcome, credit } : receipt;
}

/**
 * Finds the open refusals of packages whose journal head has moved since the decision. An open refusal is not
 * stored, and it may no longer be correct.
 */
function findOldRefusals(
  orders: readonly AnyOrder[],
  done: Committed,
  heads: ReadonlyMap<number, Head>,
): number[] {
  const isOld = (i: number) => {
    const head = heads.get(packageOf(orders, i));
    const isMoved = head !== undefined && head.sequence !== done.sequences.get(head.packageId);
    const kind = done.receipts[i]?.outcome.kind;
    return isMoved && (kind === 'refused' || kind === 'leg_refused');
  };
  return [...orders.keys()].filter(isOld);
}

const isRepeat = (receipt: AnyReceipt | undefined): boolean => {
  const kind = receipt?.outcome.kind;
  return kind === 'repeated' || kind === 'conflict';
};

async function tryOptimistically(deps: CommitDeps, orders: readonly AnyOrder[]): Promise<Committed> {
  const { repeats } = deps;
  const loaded = createLoaded(repeats.areLikely());
  for (let tries = 0, stale = 0; tries < maxTries; tries++) {
    if (stale >= optimisticTries) return deps.db.transaction((tx) => runLocked(deps, tx, orders));
    const done = await attempt(deps, deps.db, orders, loaded);
    if (typeof done !== 'string') {
      if (loaded.complete) repeats.record(done.receipts.some(isRepeat));
      return done;
    }
    if (done === 'stale' || done === 'forgotten') stale++;
    else loaded.complete = true;
  }
  throw new Error('the batch was not committed within its attempts');
}

/**
 * Locks the heads, so that no other process can write first. Another attempt is then needed in two cases
 * only: ids exist already, or another read has replaced a cache entry during the attempt.
 */
async function runLocked(deps: CommitDeps, tx: Tx, orders: readonly AnyOrder[]): Promise<Committed> {
  deps.onRoundTrip?.('locked');
  const packageIds = [...new Set(orders.map((order) => order.packageId))];
  await lockHeads(tx, packageIds);
  for (const packageId of packageIds) deps.cache.invalidate(packageId);
  const loaded = createLoaded(true);
  for (let tries = 0; tries < maxTries; tries++) {
    const done = await attempt(deps, tx, orders, loaded);
    if (typeof done !== 'string') return done;
    if (done === 'stale') throw new Error('a locked head was moved by another process');
  }
  throw new Error('the locked batch was not committed within its attempts');
}

async function attempt(
  deps: CommitDeps,
  db: Queryable,
  orders: readonly AnyOrder[],
  loaded: Loaded,
): Promise<Committed | 'known' | 'stale' | 'unforeseen' | 'forgotten'> {
  const { cache } = deps;
  await loadBatch(db, cache, orders, { loaded, parallel: db === deps.db });
  const isForgotten = ({ packageId }: AnyOrder) => {
    const known = cache.packages.get(packageId);
    return known ? known !== loaded.known.get(packageId) : !loaded.absent.has(packageId);
  };
  if (orders.some(isForgotten)) {
    clearGames(loaded);
    return 'forgotten';
  }
  const sequences = new Map<number, bigint>();
  for (const { packageId } of orders) {
    const known = cache.packages.get(packageId);
    if (known) sequences.set(packageId, known.sequence);
  }
  const now = deps.now();
  const { effects, receipts, provable } = applyBatch(cache, orders, loaded, now.getTime());
  assertDecided(cache, orders, { effects, receipts });
  if (!provable) {
    deps.onRoundTrip?.('unforeseen');
    return 'unforeseen';
  }
  const done = { receipts, effects, sequences, at: now };
  if (effects.length === 0) return { ...done, versions: [] };
  deps.onRoundTrip?.('write');
  const result = await write(deps, db, effects, now).catch((error: unknown) => toKnown(error, loaded));
  if (result.kind === 'written') return { ...done, versions: result.versions };
  deps.onRoundTrip?.(result.kind);
  if (result.kind === 'stale') for (const { packageId } of effects) cache.invalidate(packageId);
  clearGames(loaded);
  return result.kind;
}

/**
 * Converts the violation of a unique index: an id that was assumed absent exists. If the ids were looked up,
 * the violation has a different cause, so the error is thrown again.
 */
function toKnown(error: unknown, loaded: Loaded): WriteResult {
  if (isUniqueViolation(error) && !loaded.complete) return { kind: 'known' };
  throw error;
}

function write(
  deps: CommitDeps,
  db: Queryable,
  effects: readonly PackageEffects[],
  now: Date,
): Promise<WriteResult> {
  const [only] = effects;
  if (!deps.onePackage || !only) return writeBatch(db, effects, now);
  if (effects.length > 1) throw new Error('a batch of one package has effects on several');
  return db === deps.db ? writePackage(deps.db, only, now) : writePackageWithin(db, only, now);
}

/**
 * Removes the bets and rounds from `loaded`, because they may be outdated. The movements stay in `loaded`,
 * because movements never change.
 */
function clearGames(loaded: Loaded): void {
  loaded.bets.clear();
  loaded.rounds.clear();
}

function storeEffects(cache: LedgerCache, effect: PackageEffects, at: Date): void {
  const known = cache.packages.get(effect.packageId);
  if (!known) return;
  // If the sequence differs, another read has replaced the cache entry in the meantime. The new entry may or
  // may not include this batch.
  if (known.sequence !== effect.expectedSequence) {
    cache.invalidate(effect.packageId);
    return;
  }
  known.sequence = effect.sequence;
  known.hash = effect.hash;
  for (const [id, account] of effect.accounts) {
    cache.storeAccount(effect.packageId, id, account, at.getTime());
  }
  for (const { movement } of effect.rows) cache.storeMovement(movement);
  if (hasGames([effect])) {
    const movements = effect.rows.map((row) => row.movement).filter(isOfGame);
    known.games.store({ ...effect, movements });
  }
}
