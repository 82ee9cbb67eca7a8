// Finds what a provider's transaction id stands for in each connection of a package: movements and calls.
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
import { listMovementsByHash } from '../ledger/queries.ts';
import type { Movement } from '../ledger/rules/movement.ts';

interface FoundTransactions {
  readonly movements: readonly { readonly movement: Movement; readonly connection: NamedConnection }[];
  /** Newest first. */
  readonly calls: readonly ListedCall[];
  /** The connections that the movements and calls may belong to. */
  readonly connections: readonly NamedConnection[];
}

interface Wanted {
  readonly packageId: number;
  readonly transactionId: string;
  /** The most calls. */
  readonly limit: number;
}

/**
 * The log has no index of transaction ids, because it is written for every call. Calls are searched among
 * the newest 5,000 of the package, and among the 5,000 of the connection that follow a movement of the id.
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
  const rows = await listMovementsByHash(db, packageId, [...byHash.keys()]);
  const movements = rows.flatMap((movement) => {
    const connection = byHash.get(movement.idHash);
    return connection ? [{ movement, connection }] : [];
  });
  const calls = new Map(newest.map((call) => [call.id, call]));
  // Cash and promo money of one transaction are stored at the same moment, by one call.
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

/** The most moments whose calls are searched. A transaction id rarely has more than one per connection. */
const maxMoments = 10;

const momentOf = ({ movement, connection }: FoundTransactions['movements'][number]): string =>
  `${connection.id} ${movement.createdAtMs} ${movement.transactionId}`;

/** The clocks of the processes and of the database may differ by this much. */
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
