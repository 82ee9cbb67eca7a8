// Writes rows of `provider_connections`, `deleted_connections`, `provider_calls` and `provider_nonces`.

import {
  binaryTextColumn,
  integerColumn,
  smallintColumn,
  timeColumn,
} from '@counterfoil/kit/postgres/binary-columns';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { ProviderCallLine } from './calls/call-line.ts';
import type { Connection, ConnectionState } from './connection.ts';

export async function insertConnection(
  tx: Tx,
  { packageId, id, ...row }: Connection & { readonly secretsSealed: Buffer },
): Promise<void> {
  await tx.query(
    `insert into provider_connections (package_id, id, name, dialect, profile, state, game_prefix,
       currencies, upstream_url, secrets_sealed, created_at, shares_names)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[packageId, id, row.name, row.dialect, row.profile, row.state, row.gamePrefix],
      ...[JSON.stringify(row.currencies), row.upstreamUrl ?? null, row.secretsSealed, row.createdAt],
      row.sharesNames,
    ],
  );
}

interface ConnectionKey {
  readonly packageId: number;
  readonly id: string;
}

export async function saveConnection(
  tx: Tx,
  { packageId, id }: ConnectionKey,
  change: Pick<Connection, 'name' | 'gamePrefix' | 'currencies' | 'upstreamUrl'> & { state: ConnectionState },
): Promise<void> {
  await tx.query(
    `update provider_connections set name = $3, state = $4, game_prefix = $5, currencies = $6,
       upstream_url = $7
     where package_id = $1 and id = $2`,
    [
      ...[packageId, id, change.name, change.state, change.gamePrefix],
      ...[JSON.stringify(change.currencies), change.upstreamUrl ?? null],
    ],
  );
}

/**
 * Replaces the credentials. The old credentials are accepted until `previousUntil`. Without `previousUntil`,
 * they are invalid immediately.
 */
export async function saveSecrets(
  tx: Tx,
  { packageId, id }: ConnectionKey,
  { sealed, previousUntil }: { sealed: Buffer; previousUntil: Date | undefined },
): Promise<void> {
  await tx.query(
    `update provider_connections set secrets_sealed = $3,
       previous_sealed = case when $4::timestamptz is null then null else secrets_sealed end,
       previous_until = $4
     where package_id = $1 and id = $2`,
    [packageId, id, sealed, previousUntil ?? null],
  );
}

/**
 * Deletes the connection. The name and the dialect are stored in `deleted_connections`, because the movements
 * and calls of the connection are still shown.
 */
export async function deleteConnection(tx: Tx, { packageId, id }: ConnectionKey, at: Date): Promise<void> {
  await tx.query(
    `insert into deleted_connections (package_id, id, name, dialect, deleted_at)
     select package_id, id, name, dialect, $3::timestamptz from provider_connections
     where package_id = $1 and id = $2`,
    [packageId, id, at],
  );
  const values = [packageId, id];
  await tx.query('delete from provider_connections where package_id = $1 and id = $2', values);
}

/** Calls that are written with one statement, as one binary array per column. */
export interface CallBatch {
  readonly size: number;
  /** One time of each day on which a call was answered. */
  readonly days: readonly { readonly at: Date }[];
  push(line: ProviderCallLine): void;
  readonly values: () => Buffer[];
}

const dayMs = 86_400_000;

export function createCallBatch(): CallBatch {
  const [packages, times, statuses] = [integerColumn(), timeColumn(), smallintColumn()];
  const [connections, requests, addresses, operations, players] = fiveTexts();
  const [rounds, codes, meanings, bodies, transactions] = fiveTexts();
  const days = new Map<number, { at: Date }>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    get days() {
      return [...days.values()];
    },
    push: (line) => {
      size++;
      days.set(Math.floor(line.at.getTime() / dayMs), line);
      packages.push(line.packageId);
      times.push(line.at);
      connections.push(line.connectionId);
      requests.push(line.requestId);
      addresses.push(line.address);
      operations.push(line.operation);
      players.push(line.playerId);
      rounds.push(line.roundId);
      statuses.push(line.status);
      codes.push(line.code);
      meanings.push(line.meaning);
      bodies.push(line.body);
      // No id contains a line break, because every dialect refuses ids with control characters.
      transactions.push(line.transactionIds.join('\n'));
    },
    values: () => [
      ...[packages, times, connections, requests, addresses, operations].map((each) => each.value()),
      ...[players, rounds, statuses, codes, meanings, bodies, transactions].map((each) => each.value()),
    ],
  };
}

const fiveTexts = () =>
  [
    binaryTextColumn(),
    binaryTextColumn(),
    binaryTextColumn(),
    binaryTextColumn(),
    binaryTextColumn(),
  ] as const;

/**
 * Inserts the calls. They are sent as binary arrays, so neither the wallet nor the database has to escape or
 * parse the texts, most of which are JSON.
 */
export async function insertCalls(tx: Queryable, batch: CallBatch): Promise<void> {
  await tx.query({
    name: 'insert_provider_calls',
    text: `insert into provider_calls (package_id, at, connection_id, request_id, address, operation,
             player_id, round_id, status, code, meaning, body, transaction_ids)
           select n.package_id, n.at, n.connection_id, n.request_id, n.address, n.operation, n.player_id,
             n.round_id, n.status, n.code, n.meaning, n.body, string_to_array(n.transaction_ids, E'\\n')
           from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
               $7::text[], $8::text[], $9::smallint[], $10::text[], $11::text[], $12::text[], $13::text[])
             as n (package_id, at, connection_id, request_id, address, operation, player_id, round_id,
               status, code, meaning, body, transaction_ids)`,
    values: batch.values(),
  });
}

/** Stores nonces of a connection. Returns the nonces that are new, each of them once. */
export async function insertNonces(
  db: Queryable,
  wanted: {
    readonly packageId: number;
    readonly connectionId: string;
    readonly nonces: readonly string[];
    readonly expiresAt: Date;
  },
): Promise<Set<string>> {
  const { packageId, connectionId, nonces, expiresAt } = wanted;
  const column = binaryTextColumn();
  for (const nonce of nonces) column.push(nonce);
  // The nonces are sorted. Otherwise two processes that insert the same nonces could deadlock.
  const { rows } = await db.query<{ nonce: string }>({
    name: 'insert_provider_nonces',
    text: `insert into provider_nonces (package_id, connection_id, nonce, expires_at)
           select $1, $2, n.nonce, $4 from unnest($3::text[]) as n (nonce)
           order by n.nonce
           on conflict do nothing
           returning nonce`,
    values: [packageId, connectionId, column.value(), expiresAt],
  });
  return new Set(rows.map(({ nonce }) => nonce));
}

/** Deletes nonces that have expired, at most `limit` of them. Returns the number. */
export async function deleteExpiredNonces(
  db: Queryable,
  { packageId, now, limit }: { packageId: number; now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from provider_nonces where package_id = $1 and (connection_id, nonce) in (
       select connection_id, nonce from provider_nonces
       where package_id = $1 and expires_at < $2 order by expires_at limit $3)`,
    [packageId, now, limit],
  );
  return rowCount ?? 0;
}
