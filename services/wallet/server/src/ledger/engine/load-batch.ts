// Loads the state that the decisions of a batch need and that is not in the cache.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type GameCommand, listAccounts, listGameCommands } from '../rules/command.ts';
import type { BetState, RoundState } from '../rules/decision.ts';
import { getSubject, type Movement } from '../rules/movement.ts';
import { formatKey } from '../rules/state.ts';
import {
  selectAccounts,
  selectBets,
  selectHeads,
  selectMovements,
  selectRounds,
} from '../store/ledger-store.ts';
import type { CachedPackage, LedgerCache } from './cache.ts';
import type { AnyOrder } from './pending-order.ts';

/** Movements, bets and rounds that were read for one batch, by package. */
export interface Loaded {
  readonly movements: Map<number, Map<string, Movement>>;
  readonly bets: Map<number, Map<string, BetState>>;
  readonly rounds: Map<number, Map<string, RoundState>>;
  /** Packages that have no ledger. */
  readonly absent: Set<number>;
  /**
   * For each package, the cache entry in which its accounts were stored. If a newer entry has replaced this
   * entry, the newer entry lacks these accounts.
   */
  readonly known: Map<number, CachedPackage>;
  /**
   * If true, all ids, bets and rounds that the rules need are read from the database. If false, the rules use
   * cached entries and assume that all other entries are absent. The write then checks the cached entries and
   * the assumptions.
   */
  complete: boolean;
}

export const createLoaded = (complete: boolean): Loaded => ({
  complete,
  movements: new Map(),
  bets: new Map(),
  rounds: new Map(),
  absent: new Set(),
  known: new Map(),
});

export function put<V>(target: Map<number, Map<string, V>>, packageId: number, key: string, value: V) {
  const inner = target.get(packageId);
  if (inner) inner.set(key, value);
  else target.set(packageId, new Map([[key, value]]));
}

/**
 * Loads the data that is missing for the decisions: heads and accounts into the cache, everything else into
 * `loaded`. `parallel` is true if the queries may run on several connections. A transaction has only one
 * connection.
 */
export async function loadBatch(
  db: Queryable,
  cache: LedgerCache,
  orders: readonly AnyOrder[],
  options: { loaded: Loaded; parallel: boolean },
): Promise<void> {
  const { loaded } = options;
  await loadHeads(db, cache, orders, loaded);
  for (const { packageId } of orders) {
    const known = cache.packages.get(packageId);
    if (known) loaded.known.set(packageId, known);
  }
  const loads: (() => Promise<unknown>)[] = [() => loadAccounts(db, cache, orders, loaded)];
  if (loaded.complete) {
    loads.push(() => loadTransfers(db, cache, orders, loaded), ...planGames(db, orders, loaded));
  }
  if (options.parallel) await Promise.all(loads.map((load) => load()));
  else for (const load of loads) await load();
  if (loaded.complete) await loadRoundsOfBets(db, loaded);
}

async function loadHeads(
  db: Queryable,
  cache: LedgerCache,
  orders: readonly AnyOrder[],
  loaded: Loaded,
): Promise<void> {
  const missing = new Set<number>();
  for (const { packageId } of orders) if (!cache.packages.has(packageId)) missing.add(packageId);
  if (missing.size === 0) return;
  for (const head of await selectHeads(db, [...missing])) {
    cache.storeHead(head);
    missing.delete(head.packageId);
    loaded.absent.delete(head.packageId);
  }
  for (const packageId of missing) loaded.absent.add(packageId);
}

async function loadAccounts(
  db: Queryable,
  cache: LedgerCache,
  orders: readonly AnyOrder[],
  loaded: Loaded,
): Promise<void> {
  const missing = new Map<string, { packageId: number; key: bigint }>();
  const unknown = new Map<string, { packageId: number; key: bigint; known: CachedPackage }>();
  for (const { packageId, command, alsoReads } of orders) {
    const known = cache.packages.get(packageId);
    for (const account of listAccounts(command)) {
      if (known?.accounts.has(account)) continue;
      missing.set(`${packageId}:${account}`, { packageId, key: account });
    }
    if (alsoReads === undefined || !known) continue;
    if (known.accounts.has(alsoReads) || known.absent.has(alsoReads)) continue;
    unknown.set(`${packageId}:${alsoReads}`, { packageId, key: alsoReads, known });
  }
  if (missing.size + unknown.size === 0) return;
  for (const found of await selectAccounts(db, [...new Map([...missing, ...unknown]).values()])) {
    const { packageId, id, account, updatedAt } = found;
    unknown.delete(`${packageId}:${id}`);
    const known = cache.packages.get(packageId);
    // If another query of the batch fails, the batch ends before this read, and a later batch may have moved
    // the account. That batch has a new cache entry.
    if (known !== loaded.known.get(packageId)) continue;
    // The account has a later sequence than the cached head. So another process has written, and the whole
    // cache entry is outdated.
    if (known && account.lastSequence > known.sequence) cache.invalidate(packageId);
    else cache.storeAccount(packageId, id, account, updatedAt.getTime());
  }
  for (const { packageId, key, known } of unknown.values()) cache.storeAbsent(known, packageId, key);
  await loadKnownTransfers(db, cache, orders, loaded);
}

/**
 * Loads the stored movements with the ids of transfers whose promo account does not exist. These transfers
 * are not written until the account is opened, so no write can find out that an id exists already.
 */
async function loadKnownTransfers(
  db: Queryable,
  cache: LedgerCache,
  orders: readonly AnyOrder[],
  loaded: Loaded,
): Promise<void> {
  const ids: TextKey[] = [];
  for (const { packageId, command } of orders) {
    if (command.type !== 'credit' && command.type !== 'debit') continue;
    const accounts = cache.packages.get(packageId)?.accounts;
    if (accounts && !accounts.has(command.account)) ids.push({ packageId, key: command.idHash });
  }
  await loadMovements(db, ids, loaded);
}

/**
 * Whether the command is a win that a rollback can undo. If the rollback arrived first, it has stored a
 * tombstone for the id of the win.
 */
const isReversible = (command: GameCommand) => command.type === 'win' && command.isReversible;

/** The names that a rollback gives, in addition to its reference, to the transaction that it undoes. */
const listOriginalNames = (command: GameCommand): readonly string[] =>
  (command.type === 'rollback' && command.referenceNames) || [];

type TextKey = { readonly packageId: number; readonly key: string };

/** Loads the stored transfers and top-ups with the ids of the orders, and caches them for later repeats. */
async function loadTransfers(
  db: Queryable,
  cache: LedgerCache,
  orders: readonly AnyOrder[],
  loaded: Loaded,
): Promise<void> {
  const ids: TextKey[] = [];
  for (const { packageId, command } of orders) {
    if (!('note' in command)) continue;
    const { idHash, transactionId } = command;
    const seen = cache.findMovement({ packageId, idHash, transactionId });
    // `storeMovement` below may remove the movement from the cache.
    if (seen) put(loaded.movements, packageId, idHash, seen);
    else ids.push({ packageId, key: idHash });
  }
  for (const movement of await loadMovements(db, ids, loaded)) cache.storeMovement(movement);
}

/**
 * Returns functions that load the data that the rules need for the game commands: the movements, the bet
 * states and the rounds that the commands name.
 */
function planGames(db: Queryable, orders: readonly AnyOrder[], loaded: Loaded): (() => Promise<unknown>)[] {
  const ids: TextKey[] = [];
  const bets: TextKey[] = [];
  const rounds: TextKey[] = [];
  for (const order of orders) {
    const { packageId, command: whole } = order;
    if (whole.type === 'batch') {
      const { requestHash, absentHashes = [] } = whole;
      if (requestHash !== undefined) bets.push({ packageId, key: requestHash });
      for (const key of absentHashes) {
        ids.push({ packageId, key });
        bets.push({ packageId, key });
      }
    }
    for (const command of listGameCommands(whole)) {
      ids.push({ packageId, key: command.idHash });
      if (command.nameHash !== undefined) bets.push({ packageId, key: command.nameHash });
      for (const key of listOriginalNames(command)) {
        ids.push({ packageId, key });
        bets.push({ packageId, key });
      }
      if (command.type === 'bet_win') ids.push({ packageId, key: command.winIdHash });
      if (command.type === 'rollback') ids.push({ packageId, key: command.referenceAsWinHash });
      if (command.type === 'bet' || command.type === 'bet_win' || isReversible(command)) {
        bets.push({ packageId, key: command.idHash });
      }
      if ('referenceHash' in command && command.referenceHash !== undefined) {
        ids.push({ packageId, key: command.referenceHash });
        bets.push({ packageId, key: command.referenceHash });
      }
      if (command.round) rounds.push({ packageId, key: command.round.hash });
    }
  }
  return [
    () => loadMovements(db, ids, loaded),
    () => loadBets(db, bets, loaded),
    () => loadRounds(db, rounds, loaded),
  ];
}

/** A closed round settles its bets, so the rounds of referenced bets are loaded too. */
async function loadRoundsOfBets(db: Queryable, loaded: Loaded): Promise<void> {
  const rest: TextKey[] = [];
  for (const [packageId, movements] of loaded.movements) {
    const known = loaded.rounds.get(packageId);
    for (const movement of movements.values()) {
      const { roundHash } = movement;
      if (roundHash === undefined) continue;
      const key = formatKey({ hash: roundHash, account: getSubject(movement).account });
      if (!known?.has(key)) rest.push({ packageId, key: roundHash });
    }
  }
  await loadRounds(db, rest, loaded);
}

function unique(keys: readonly TextKey[]): TextKey[] {
  return [...new Map(keys.map((key) => [`${key.packageId}:${key.key}`, key])).values()];
}

async function loadMovements(
  db: Queryable,
  keys: readonly TextKey[],
  loaded: Loaded,
): Promise<readonly Movement[]> {
  if (keys.length === 0) return [];
  const found = await selectMovements(db, unique(keys));
  for (const movement of found) put(loaded.movements, movement.packageId, movement.idHash, movement);
  return found;
}

async function loadBets(db: Queryable, keys: readonly TextKey[], loaded: Loaded): Promise<void> {
  if (keys.length === 0) return;
  for (const { packageId, bet } of await selectBets(db, unique(keys))) {
    put(loaded.bets, packageId, formatKey(bet), bet);
  }
}

async function loadRounds(db: Queryable, keys: readonly TextKey[], loaded: Loaded): Promise<void> {
  if (keys.length === 0) return;
  for (const { packageId, round } of await selectRounds(db, unique(keys))) {
    put(loaded.rounds, packageId, formatKey(round), round);
  }
}
