// Loads what a batch will be decided on, as far as memory does not have it.
import type { Queryable } from '@counterfoil/kit/db';
import { type Command, isGameCommand } from './command.ts';
import type { BetState, RoundState } from './decision.ts';
import type { LedgerMemory } from './memory.ts';
import type { Movement } from './movement.ts';
import { roundKey } from './state.ts';
import { selectAccounts, selectBets, selectHeads, selectMovements, selectRounds } from './store.ts';

export interface Order {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly command: Command;
}

/** Of one batch only: known movements, bets and rounds, by package. */
export interface Loaded {
  readonly movements: Map<number, Map<string, Movement>>;
  readonly bets: Map<number, Map<string, BetState>>;
  readonly rounds: Map<number, Map<string, RoundState>>;
}

export const createLoaded = (): Loaded => ({
  movements: new Map(),
  bets: new Map(),
  rounds: new Map(),
});

export function put<V>(
  target: Map<number, Map<string, V>>,
  packageId: number,
  key: string,
  value: V,
) {
  const inner = target.get(packageId);
  if (inner) inner.set(key, value);
  else target.set(packageId, new Map([[key, value]]));
}

export async function loadBatch(
  db: Queryable,
  memory: LedgerMemory,
  orders: readonly Order[],
  loaded: Loaded,
): Promise<void> {
  await loadHeads(db, memory, orders);
  const games = orders.filter((order) => isGameCommand(order.command));
  await Promise.all([
    loadAccounts(db, memory, orders),
    games.length > 0 ? loadGames(db, games, loaded) : undefined,
  ]);
}

async function loadHeads(db: Queryable, memory: LedgerMemory, orders: readonly Order[]) {
  const missing = new Set<number>();
  for (const { packageId } of orders) if (!memory.packages.has(packageId)) missing.add(packageId);
  if (missing.size === 0) return;
  for (const head of await selectHeads(db, [...missing])) memory.remember(head);
}

async function loadAccounts(db: Queryable, memory: LedgerMemory, orders: readonly Order[]) {
  const missing = new Map<string, { packageId: number; key: bigint }>();
  for (const { packageId, command } of orders) {
    if (!('account' in command) || memory.packages.get(packageId)?.accounts.has(command.account)) {
      continue;
    }
    missing.set(`${packageId}:${command.account}`, { packageId, key: command.account });
  }
  if (missing.size === 0) return;
  for (const { packageId, id, account } of await selectAccounts(db, [...missing.values()])) {
    const known = memory.packages.get(packageId);
    // Newer than the head that we remember: somebody else has written, and all of it is old.
    if (known && account.lastSequence > known.sequence) memory.forget(packageId);
    else memory.rememberAccount(packageId, id, account);
  }
}

/** A game's rules look at its own id, the bet it refers to, that bet's fate, and the round. */
async function loadGames(db: Queryable, orders: readonly Order[], loaded: Loaded): Promise<void> {
  const ids: { packageId: number; key: string }[] = [];
  const bets: { packageId: number; key: string }[] = [];
  const rounds: { packageId: number; key: string }[] = [];
  for (const { packageId, command } of orders) {
    if (!isGameCommand(command)) continue;
    ids.push({ packageId, key: command.idHash });
    if (command.type === 'bet_win') ids.push({ packageId, key: command.winIdHash });
    if (command.type === 'rollback') ids.push({ packageId, key: command.referenceAsWinHash });
    if (command.type === 'bet' || command.type === 'bet_win') {
      bets.push({ packageId, key: command.idHash });
    }
    if ('referenceHash' in command && command.referenceHash !== undefined) {
      ids.push({ packageId, key: command.referenceHash });
      bets.push({ packageId, key: command.referenceHash });
    }
    if (command.round) rounds.push({ packageId, key: command.round.hash });
  }
  const [movements] = await Promise.all([
    selectMovements(db, unique(ids)),
    loadBets(db, bets, loaded),
    loadRounds(db, rounds, loaded),
  ]);
  // Providers use the same round ids in every package, so a round is known by both.
  const asked = new Set(rounds.map((round) => `${round.packageId}:${round.key}`));
  const rest: typeof rounds = [];
  for (const movement of movements) {
    put(loaded.movements, movement.packageId, movement.idHash, movement);
    const { packageId, roundHash } = movement;
    if (roundHash !== undefined && !asked.has(`${packageId}:${roundHash}`)) {
      rest.push({ packageId, key: roundHash });
    }
  }
  await loadRounds(db, rest, loaded);
}

function unique<T extends { packageId: number; key: string }>(keys: readonly T[]): T[] {
  return [...new Map(keys.map((key) => [`${key.packageId}:${key.key}`, key])).values()];
}

async function loadBets(
  db: Queryable,
  keys: { packageId: number; key: string }[],
  loaded: Loaded,
): Promise<void> {
  if (keys.length === 0) return;
  for (const found of await selectBets(db, unique(keys))) {
    put(loaded.bets, found.packageId, found.hash, found.bet);
  }
}

async function loadRounds(
  db: Queryable,
  keys: { packageId: number; key: string }[],
  loaded: Loaded,
): Promise<void> {
  if (keys.length === 0) return;
  for (const { packageId, round } of await selectRounds(db, unique(keys))) {
    put(loaded.rounds, packageId, roundKey(round), round);
  }
}
