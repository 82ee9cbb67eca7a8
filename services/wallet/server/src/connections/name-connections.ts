// Finds the connection through which a movement or a round arrived. The journal stores no connections. But
// each connection has its own space of ids, so the hashes of the ids show the connection.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashesOf, hashRoundId } from '../callbacks/to-command.ts';
import { listMovementsByHash } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import { isOfGame, type Movement } from '../ledger/rules/movement.ts';
import type { NamedConnection } from './connection.ts';
import { dialects } from './dialects/dialects.ts';
import { listNamedConnections, maxDeleted } from './queries.ts';
import { hashKey, hashRoundOf } from './to-batch.ts';

/** The ids of rounds, by the hash of the round id. */
type RoundIds = ReadonlyMap<string, string>;

/**
 * Finds the connections of movements, by sequence. Movements of the wallet's own protocol have none. A
 * movement of a provider has none in the result if its connection cannot be determined: see `findOnlySender`.
 */
export async function nameConnections(
  db: Queryable,
  packageId: number,
  movements: readonly Movement[],
  rounds: RoundIds,
): Promise<ReadonlyMap<bigint, NamedConnection>> {
  const foreign = movements.filter((movement) => isOfGame(movement) && !isOwn(movement, rounds));
  if (foreign.length === 0) return new Map();
  const connections = await listNamedConnections(db, packageId);
  const found = matchMovements(foreign, connections, rounds);
  const missing = foreign.filter(({ sequence }) => !found.has(sequence));
  if (missing.length === 0) return found;
  const byReference = await matchReferences(db, packageId, missing, connections);
  for (const movement of missing) {
    const connection = byReference.get(movement.referenceHash ?? '') ?? findOnlySender(movement, connections);
    if (connection) found.set(movement.sequence, connection);
  }
  return found;
}

/**
 * Adds to each round the connection through which it arrived. Rounds of the wallet's own protocol have none.
 */
export async function nameRoundConnections<Part extends { readonly id: string; readonly hash: string }>(
  db: Queryable,
  packageId: number,
  parts: readonly Part[],
): Promise<(Part & { readonly connection: NamedConnection | undefined })[]> {
  const isOwnRound = ({ id, hash }: Part) => hashRoundId(id) === hash;
  const connections = parts.every(isOwnRound) ? [] : await listNamedConnections(db, packageId);
  const find = createRoundMatcher(connections);
  return parts.map((part) => ({
    ...part,
    connection: isOwnRound(part) ? undefined : find(part.hash, part.id),
  }));
}

function isOwn({ roundHash = '', idHash, transactionId }: Movement, rounds: RoundIds): boolean {
  const roundId = rounds.get(roundHash);
  if (roundId !== undefined) return hashRoundId(roundId) === roundHash;
  return hashesOf(transactionId).includes(idHash);
}

/**
 * Returns a function that finds the connection of a round. It caches each result, because many movements of a
 * page share a round.
 */
function createRoundMatcher(connections: readonly NamedConnection[]) {
  const known = new Map<string, NamedConnection | undefined>();
  return (hash: string, roundId: string): NamedConnection | undefined => {
    if (!known.has(hash)) {
      known.set(
        hash,
        connections.find(({ id }) => hashRoundOf(id, roundId) === hash),
      );
    }
    return known.get(hash);
  };
}

function matchMovements(
  movements: readonly Movement[],
  connections: readonly NamedConnection[],
  rounds: RoundIds,
): Map<bigint, NamedConnection> {
  const findByRound = createRoundMatcher(connections);
  const found = new Map<bigint, NamedConnection>();
  for (const movement of movements) {
    const { roundHash = '', sequence } = movement;
    const roundId = rounds.get(roundHash);
    const connection =
      roundId === undefined ? findByKey(movement, connections) : findByRound(roundHash, roundId);
    if (connection) found.set(sequence, connection);
  }
  return found;
}

function findByKey({ idHash, transactionId }: Movement, connections: readonly NamedConnection[]) {
  return connections.find(({ id, dialect }) => {
    const keys = dialects[dialect].listKeysOf?.(transactionId) ?? [transactionId];
    return keys.some((key) => hashKey(id, key) === idHash);
  });
}

/** Finds the connection of each transaction that a movement refers to, by the hash of this transaction. */
async function matchReferences(
  db: Queryable,
  packageId: number,
  movements: readonly Movement[],
  connections: readonly NamedConnection[],
): Promise<ReadonlyMap<string, NamedConnection>> {
  const hashes = new Set(movements.flatMap(({ referenceHash }) => referenceHash ?? []));
  if (hashes.size === 0) return new Map();
  const originals = await listMovementsByHash(db, packageId, [...hashes]);
  const rounds = await nameRounds(db, packageId, originals);
  const found = matchMovements(originals, connections, rounds);
  return new Map(
    originals.flatMap(({ idHash, sequence }) => {
      const connection = found.get(sequence);
      return connection ? [[idHash, connection] as const] : [];
    }),
  );
}

/**
 * Returns the connection that sent a movement whose key is unknown. Returns undefined if several connections
 * could have sent the movement. In dialects without `listKeysOf`, the key of a bet or win is always known,
 * because it is the transaction id. In any dialect, the key of a rollback may contain more than the id.
 */
function findOnlySender({ kind }: Movement, connections: readonly NamedConnection[]) {
  // A list of this length may be incomplete. A deleted connection that is not in the list may be the sender.
  if (connections.length >= maxDeleted) return undefined;
  const isRollback = kind === 'rollback' || kind === 'win_reversal';
  const senders = connections.filter(({ dialect }) => isRollback || dialects[dialect].listKeysOf);
  return senders.length === 1 ? senders[0] : undefined;
}
