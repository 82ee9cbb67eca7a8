// Finds the movements and the calls that have a provider's transaction id, in each connection of a package.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type ListedCall, listKeysOfCall } from '../connections/calls/call-line.ts';
import { maxSearched } from '../connections/calls/list-calls.ts';
import type { NamedConnection } from '../connections/connection.ts';
import { dialects } from '../connections/dialects/dialects.ts';
import {
  listNamedConnections,
  searchCalls,
  searchCallsSince,
  selectCallsAt,
} from '../connections/queries.ts';
import { hashKey } from '../connections/to-batch.ts';
import { listNamedMovements } from '../ledger/queries.ts';
import type { Movement } from '../ledger/rules/movement.ts';

interface FoundTransactions {
  readonly movements: readonly { readonly movement: Movement; readonly connection: NamedConnection }[];
  /** The calls that contain the transaction id, newest first. */
  readonly calls: readonly ListedCall[];
  /**
   * All connections of the package. Deleted connections are included, because movements and calls may belong
   * to them.
   */
  readonly connections: readonly NamedConnection[];
}

interface Wanted {
  readonly packageId: number;
  readonly transactionId: string;
  /** The maximum number of calls to return. */
  readonly limit: number;
}

/**
 * The log of calls has no index on transaction ids, because the index would slow down every call. The search
 * therefore reads the newest 5,000 calls of the package. For each movement with this transaction id, the
 * search also reads up to 5,000 calls of the same connection, from the time of the movement on.
 */
export async function findTransactions(db: Queryable, wanted: Wanted): Promise<FoundTransactions> {
  const { packageId, transactionId, limit } = wanted;
  const connections = await listNamedConnections(db, packageId);
  if (connections.length === 0) return { movements: [], calls: [], connections };
  const newest = await searchNewest(db, wanted);
  const byHash = new Map<string, NamedConnection>();
  for (const connection of connections) {
    const ofConnection = newest.filter(({ connectionId }) => connectionId === connection.id);
    const keys = dialects[connection.dialect].listKeysOf?.(transactionId) ?? [transactionId];
    const sent = ofConnection.flatMap((call) => listKeysOfCall(call, transactionId));
    for (const key of [...keys, ...sent]) byHash.set(hashKey(connection.id, key), connection);
  }
  const rows = await listNamedMovements(db, packageId, [...byHash.keys()]);
  const movements = rows.flatMap(({ hash, movement }) => {
    const connection = byHash.get(hash);
    return connection ? [{ movement, connection }] : [];
  });
  const calls = new Map(newest.map((call) => [call.id, call]));
  // The cash movement and the promo movement of a transaction come from one call, and both have the same
  // time. So one search finds the call of both.
  const moments = new Map(movements.map((each) => [momentOf(each), each]));
  for (const each of [...moments.values()].slice(0, maxMoments)) {
    for (const call of await searchAround(db, packageId, each)) calls.set(call.id, call);
  }
  const sorted = [...calls.values()].sort((a, b) => b.at.getTime() - a.at.getTime() || Number(b.id - a.id));
  return { movements, calls: sorted.slice(0, limit), connections };
}

async function searchNewest(db: Queryable, wanted: Wanted): Promise<ListedCall[]> {
  const { packageId, transactionId, limit } = wanted;
  const all = { connectionId: undefined, before: undefined, playerId: undefined, rows: maxSearched };
  const { found } = await searchCalls(db, { packageId, transactionId, ...all });
  return found.length === 0 ? [] : selectCallsAt(db, { packageId }, found.slice(0, limit));
}

/**
 * The calls of a transaction are searched from the time of each of its movements on. This constant limits the
 * number of these times. Most transaction ids have only one time per connection.
 */
const maxMoments = 10;

const momentOf = ({ movement, connection }: FoundTransactions['movements'][number]): string =>
  `${connection.id} ${movement.createdAtMs} ${movement.transactionId}`;

/** The maximum difference between the clocks of the processes and the clock of the database. */
const clockSkewMs = 1000;

const searchAround = (
  db: Queryable,
  packageId: number,
  { movement, connection }: FoundTransactions['movements'][number],
): Promise<ListedCall[]> =>
  searchCallsSince(db, {
    packageId,
    connectionId: connection.id,
    since: new Date(movement.createdAtMs - clockSkewMs),
    transactionId: movement.transactionId,
    rows: maxSearched,
  });
