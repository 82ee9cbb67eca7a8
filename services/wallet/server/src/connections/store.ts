// Writes rows of `provider_connections`, `deleted_connections`, `provider_calls` and `provider_nonces`.

import { binaryTextColumn } from '@counterfoil/kit/postgres/binary-columns';
import { createCopyRows } from '@counterfoil/kit/postgres/copy-rows';
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

/** Calls that are written with one statement. Each call is encoded when it is added. */
export interface CallBatch {
  readonly size: number;
  /** One time of each day on which a call was answered. */
  readonly days: readonly { readonly at: Date }[];
  push(line: ProviderCallLine): void;
  /** The rows to send. No call may be added afterwards. */
  readonly finish: () => Buffer;
}

const dayMs = 86_400_000;

const callColumns = [
  ...['package_id', 'at', 'connection_id', 'request_id', 'address', 'operation', 'player_id'],
  ...['transaction_ids', 'round_id', 'status', 'code', 'meaning', 'body'],
];

export function createCallBatch(): CallBatch {
  const rows = createCopyRows();
  const days = new Map<number, { at: Date }>();
  let size = 0;
  let finished: Buffer | undefined;
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
      // The values are in the order of `callColumns`.
      rows.begin(callColumns.length);
      rows.putInteger(line.packageId);
      rows.putTime(line.at);
      rows.putText(line.connectionId);
      rows.putText(line.requestId);
      rows.putText(line.address);
      rows.putText(line.operation);
      rows.putText(line.playerId);
      rows.putTexts(line.transactionIds);
      rows.putText(line.roundId);
      rows.putSmallint(line.status);
      rows.putText(line.code);
      rows.putText(line.meaning);
      rows.putText(line.body);
    },
    finish: () => {
      finished ??= rows.finish();
      return finished;
    },
  };
}

const copyCalls = `copy provider_calls (${callColumns.join(', ')}) from stdin (format binary)`;

/**
 * Stores the calls. For a row, COPY costs the database less than half of the time that an insert from arrays
 * costs: it does not store the columns in between, and it writes many rows to a page at a time.
 */
export const insertCalls = (tx: Tx, batch: CallBatch): Promise<void> => tx.copyIn(copyCalls, batch.finish());

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
