// Runs one batch to its end: load, decide, write; again when somebody else was faster.
import type { Db, Queryable, Tx } from '@counterfoil/kit/db';
import type { PackageEffects } from './batch.ts';
import { foldBatch, type Receipt } from './fold-batch.ts';
import { createLoaded, type Loaded, loadBatch, type Order, put } from './load-batch.ts';
import type { LedgerMemory } from './memory.ts';
import { creditAccount, type Movement } from './movement.ts';
import { lockHeads, selectHeads, writeBatch } from './store.ts';

export interface BatchDeps {
  /** The ledger's own connections: one batch is in flight at a time. */
  readonly db: Db;
  readonly memory: LedgerMemory;
  readonly now: () => Date;
  readonly onRoundTrip?: (kind: 'write' | 'stale' | 'known' | 'locked') => void;
}

/** Tries on what is remembered before the heads are locked first and everything is read again. */
const optimisticTries = 2;
const maxTries = 8;

type Receipts = (Receipt | undefined)[];

/** A batch that was brought to an end, with what it wrote. */
interface Done {
  readonly receipts: Receipts;
  readonly effects: readonly PackageEffects[];
}

/** Receipts parallel to the orders; undefined where there is no such account. */
export async function runBatch(deps: BatchDeps, orders: readonly Order[]): Promise<Receipts> {
  const done = await tryOptimistically(deps, orders);
  // Remembered only now: before the commit's answer nothing is sure to be there.
  for (const effect of done.effects) remember(deps.memory, effect);
  const written = new Set(done.effects.map((effect) => effect.packageId));
  return refreshCredit(deps.db, orders, done.receipts, written);
}

async function tryOptimistically(deps: BatchDeps, orders: readonly Order[]): Promise<Done> {
  const loaded = createLoaded();
  for (let tries = 0, stale = 0; tries < maxTries; tries++) {
    if (stale >= optimisticTries) return deps.db.transaction((tx) => runLocked(deps, tx, orders));
    const done = await attempt(deps, deps.db, orders, loaded);
    if (done !== 'known' && done !== 'stale') return done;
    if (done === 'stale') stale++;
  }
  throw new Error('the batch could not be brought to an end');
}

/** With the heads locked nobody can be faster; only ids that are there already cause another turn. */
async function runLocked(deps: BatchDeps, tx: Tx, orders: readonly Order[]): Promise<Done> {
  deps.onRoundTrip?.('locked');
  const packageIds = [...new Set(orders.map((order) => order.packageId))];
  await lockHeads(tx, packageIds);
  for (const packageId of packageIds) deps.memory.forget(packageId);
  const loaded = createLoaded();
  for (let tries = 0; tries < maxTries; tries++) {
    const done = await attempt(deps, tx, orders, loaded);
    if (done === 'stale') throw new Error('a locked head was moved by somebody else');
    if (done !== 'known') return done;
  }
  throw new Error('the locked batch could not be brought to an end');
}

async function attempt(
  deps: BatchDeps,
  db: Queryable,
  orders: readonly Order[],
  loaded: Loaded,
): Promise<Done | 'known' | 'stale'> {
  const { memory } = deps;
  await loadBatch(db, memory, orders, loaded);
  if (orders.some((order) => !memory.packages.has(order.packageId))) return 'stale';
  const now = deps.now();
  const { effects, receipts } = foldBatch(memory, orders, loaded, now.getTime());
  if (effects.length === 0) return { receipts, effects };
  deps.onRoundTrip?.('write');
  const result = await writeBatch(db, effects, now);
  if (result.kind === 'written') return { receipts, effects };
  deps.onRoundTrip?.(result.kind);
  if (result.kind === 'stale') for (const { packageId } of effects) memory.forget(packageId);
  else learn(memory, loaded, result.movements);
  forgetGames(loaded);
  return result.kind;
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

function remember(memory: LedgerMemory, effect: Parameters<typeof writeBatch>[1][number]): void {
  const known = memory.packages.get(effect.packageId);
  if (!known) return;
  known.sequence = effect.sequence;
  known.hash = effect.hash;
  for (const [id, account] of effect.accounts) {
    memory.rememberAccount(effect.packageId, id, account);
  }
  for (const { movement } of effect.rows) memory.rememberMovement(movement);
}

/**
 * Where nothing was written nothing was checked either, so the credit is read as of now. It is told
 * beside the answer; should the reading fail, the answer stands with the credit last known.
 */
async function refreshCredit(
  db: Queryable,
  orders: readonly Order[],
  receipts: Receipts,
  written: ReadonlySet<number>,
): Promise<Receipts> {
  const unwritten = new Set(
    orders.map((order) => order.packageId).filter((packageId) => !written.has(packageId)),
  );
  if (unwritten.size === 0) return receipts;
  const heads = await selectHeads(db, [...unwritten]).catch(() => []);
  const credits = new Map(
    heads.map((head) => [head.packageId, head.accounts.get(creditAccount)?.balance]),
  );
  return receipts.map((receipt, i) => {
    const credit = credits.get(orders[i]?.packageId ?? 0);
    return receipt && credit !== undefined ? { ...receipt, credit } : receipt;
  });
}
