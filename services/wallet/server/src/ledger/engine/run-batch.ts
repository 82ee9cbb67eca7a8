// Runs one batch to its end: load, decide, write; again when somebody else was faster.
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { creditAccount, isOfGame, type Movement } from '../rules/movement.ts';
import { hasGames, type PackageEffects } from '../store/batch-columns.ts';
import {
  type Head,
  lockHeads,
  selectHeads,
  type WriteResult,
  writeBatch,
} from '../store/ledger-store.ts';
import { writePackage, writePackageWithin } from '../store/package-store.ts';
import { foldBatch, type Receipt } from './apply-batch.ts';
import { createLoaded, type Loaded, loadBatch, type Order, put } from './load-batch.ts';
import { createMemory, type LedgerMemory } from './memory.ts';

/** What a batch asked of the database, or had to ask again. */
export type RoundTrip = 'write' | 'stale' | 'known' | 'unforeseen' | 'locked';

export interface BatchDeps {
  /** The ledger's own connections: one batch is in flight at a time. */
  readonly db: Db;
  readonly memory: LedgerMemory;
  readonly now: () => Date;
  /** All orders of a batch are of one package, and no statement may span packages. */
  readonly onePackage: boolean;
  readonly onRoundTrip?: (kind: RoundTrip) => void;
  /** Said in the turn in which memory took in what was committed, with the version of the players. */
  readonly onWritten?: (packageId: number, playersVersion: string) => void;
}

/** Tries on what is remembered before the heads are locked first and everything is read again. */
const optimisticTries = 2;
const maxTries = 8;

/** Of one batch, which has a limit itself: its movements and games are read in any case. */
const ownMemory = { maxAccounts: Number.POSITIVE_INFINITY, maxMovements: 1, maxGames: 1 };

type Receipts = (Receipt | undefined)[];

/** A batch that was brought to an end: what it wrote, and the heads that it was decided on. */
interface Done {
  readonly receipts: Receipts;
  readonly effects: readonly PackageEffects[];
  readonly sequences: ReadonlyMap<number, bigint>;
  readonly at: Date;
  /** Parallel to the effects. */
  readonly versions: readonly string[];
}

/** Refusals that are not stored are decided anew this often, before the heads are locked for them. */
const maxRereads = 2;

export interface RunBatch {
  /** Parallel to the orders; undefined where there is no such account. */
  readonly receipts: Receipts;
  /** Places of refusals that may no longer be true: to be run again, apart from what is settled. */
  readonly old: readonly number[];
}

/** `rereads` says how often these orders were found old before. */
export async function runBatch(
  deps: BatchDeps,
  orders: readonly Order[],
  rereads: number,
): Promise<RunBatch> {
  const isLocked = rereads >= maxRereads;
  const done = isLocked
    ? await deps.db.transaction((tx) => runLocked(deps, tx, orders))
    : await tryOptimistically(deps, orders);
  // Remembered only now: before the commit's answer nothing is sure to be there.
  for (const [i, effect] of done.effects.entries()) {
    remember(deps.memory, effect, done.at);
    deps.onWritten?.(effect.packageId, done.versions[i] ?? '');
  }
  const heads = await readUnwrittenHeads(deps.db, orders, done);
  const receipts = done.receipts.map((receipt, i) =>
    withCredit(receipt, heads.get(packageOf(orders, i))),
  );
  const old = isLocked ? [] : findOldRefusals(orders, done, heads);
  for (const i of old) deps.memory.forget(packageOf(orders, i));
  return { receipts, old };
}

const packageOf = (orders: readonly Order[], i: number): number => orders[i]?.packageId ?? 0;

/**
 * Where nothing was written nothing was checked either: the heads are read once more, for the credit
 * of now and to see whether they moved. Should that fail, the answers stand as they are.
 */
async function readUnwrittenHeads(
  db: Queryable,
  orders: readonly Order[],
  done: Done,
): Promise<Map<number, Head>> {
  const written = new Set(done.effects.map((effect) => effect.packageId));
  const unwritten = new Set(
    orders.map((order) => order.packageId).filter((packageId) => !written.has(packageId)),
  );
  if (unwritten.size === 0) return new Map();
  const heads = await selectHeads(db, [...unwritten]).catch(() => []);
  return new Map(heads.map((head) => [head.packageId, head]));
}

function withCredit(receipt: Receipt | undefined, head: Head | undefined): Receipt | undefined {
  const credit = head?.accounts.get(creditAccount)?.balance;
  return receipt && credit !== undefined ? { outcome: receipt.outcome, credit } : receipt;
}

/** A refusal that is not stored was decided on a head; if that has moved, it may no longer be true. */
function findOldRefusals(
  orders: readonly Order[],
  done: Done,
  heads: ReadonlyMap<number, Head>,
): number[] {
  const isOld = (i: number) => {
    const head = heads.get(packageOf(orders, i));
    const isMoved = head !== undefined && head.sequence !== done.sequences.get(head.packageId);
    return isMoved && done.receipts[i]?.outcome.kind === 'refused';
  };
  return [...orders.keys()].filter(isOld);
}

async function tryOptimistically(deps: BatchDeps, orders: readonly Order[]): Promise<Done> {
  const loaded = createLoaded(false);
  for (let tries = 0, stale = 0; tries < maxTries; tries++) {
    if (stale >= optimisticTries) return deps.db.transaction((tx) => runLocked(deps, tx, orders));
    const done = await attempt(deps, deps.db, orders, loaded);
    if (typeof done !== 'string') return done;
    if (done === 'stale' || done === 'forgotten') stale++;
    else loaded.games = true;
  }
  throw new Error('the batch could not be brought to an end');
}

/**
 * With the heads locked nobody can be faster; only ids that are there already cause another turn.
 * Where memory was full and started over twice, the batch gets one of its own, in which it always fits.
 */
async function runLocked(deps: BatchDeps, tx: Tx, orders: readonly Order[]): Promise<Done> {
  deps.onRoundTrip?.('locked');
  const packageIds = [...new Set(orders.map((order) => order.packageId))];
  await lockHeads(tx, packageIds);
  for (const packageId of packageIds) deps.memory.forget(packageId);
  const loaded = createLoaded(true);
  let { memory } = deps;
  for (let tries = 0, forgotten = 0; tries < maxTries; tries++) {
    const done = await attempt({ ...deps, memory }, tx, orders, loaded);
    if (typeof done !== 'string') return done;
    if (done === 'stale') throw new Error('a locked head was moved by somebody else');
    if (done === 'forgotten' && ++forgotten > 1) memory = createMemory(ownMemory);
  }
  throw new Error('the locked batch could not be brought to an end');
}

async function attempt(
  deps: BatchDeps,
  db: Queryable,
  orders: readonly Order[],
  loaded: Loaded,
): Promise<Done | 'known' | 'stale' | 'unforeseen' | 'forgotten'> {
  const { memory } = deps;
  await loadBatch(db, memory, orders, { loaded, parallel: db === deps.db });
  const isForgotten = ({ packageId }: Order) => {
    const known = memory.packages.get(packageId);
    return known ? known !== loaded.known.get(packageId) : !loaded.absent.has(packageId);
  };
  if (orders.some(isForgotten)) {
    forgetGames(loaded);
    return 'forgotten';
  }
  const sequences = new Map<number, bigint>();
  for (const { packageId } of orders) {
    const known = memory.packages.get(packageId);
    if (known) sequences.set(packageId, known.sequence);
  }
  const now = deps.now();
  const { effects, receipts, provable } = foldBatch(memory, orders, loaded, now.getTime());
  if (!provable) {
    deps.onRoundTrip?.('unforeseen');
    return 'unforeseen';
  }
  const done = { receipts, effects, sequences, at: now };
  if (effects.length === 0) return { ...done, versions: [] };
  deps.onRoundTrip?.('write');
  const result = await write(deps, db, effects, now);
  if (result.kind === 'written') return { ...done, versions: result.versions };
  deps.onRoundTrip?.(result.kind);
  if (result.kind === 'stale') for (const { packageId } of effects) memory.forget(packageId);
  if (result.kind === 'known') learn(memory, loaded, result.movements);
  forgetGames(loaded);
  return result.kind;
}

function write(
  deps: BatchDeps,
  db: Queryable,
  effects: readonly PackageEffects[],
  now: Date,
): Promise<WriteResult> {
  const [only] = effects;
  if (!deps.onePackage || !only) return writeBatch(db, effects, now);
  if (effects.length > 1) throw new Error('a batch of one package has effects on several');
  return db === deps.db ? writePackage(deps.db, only, now) : writePackageWithin(db, only, now);
}

function learn(memory: LedgerMemory, loaded: Loaded, movements: readonly Movement[]): void {
  for (const movement of movements) {
    memory.rememberMovement(movement);
    put(loaded.movements, movement.packageId, movement.idHash, movement);
  }
}

/** Bets and rounds are of the moment they were read; what is known of ids stays true. */
function forgetGames(loaded: Loaded): void {
  loaded.bets.clear();
  loaded.rounds.clear();
}

function remember(memory: LedgerMemory, effect: PackageEffects, at: Date): void {
  const known = memory.packages.get(effect.packageId);
  if (!known) return;
  // Read anew meanwhile: what it is of, the next batch finds out.
  if (known.sequence !== effect.expectedSequence) {
    memory.forget(effect.packageId);
    return;
  }
  known.sequence = effect.sequence;
  known.hash = effect.hash;
  for (const [id, account] of effect.accounts) {
    memory.rememberAccount(effect.packageId, id, account, at.getTime());
  }
  for (const { movement } of effect.rows) memory.rememberMovement(movement);
  if (hasGames([effect])) {
    const movements = effect.rows.map((row) => row.movement).filter(isOfGame);
    known.games.remember({ ...effect, movements });
  }
}
