// Writes rows of `provider_connections`, `deleted_connections`, `provider_calls` and `provider_nonces`.
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

/**
 * Inserts all lines as one JSON text. One array per column would cost more CPU time, because `pg` escapes
 * every quote in an array.
 */
export async function insertCallLines(tx: Queryable, lines: readonly ProviderCallLine[]): Promise<void> {
  await tx.query({
    name: 'insert_provider_calls',
    text: `insert into provider_calls (package_id, at, connection_id, request_id, address, operation,
             player_id, round_id, status, code, meaning, body, transaction_ids)
           select "packageId", at, "connectionId", "requestId", address, operation, "playerId", "roundId",
             status, code, meaning, body, "transactionIds"
           from json_to_recordset($1::json) as n ("packageId" int, at timestamptz, "connectionId" text,
             "requestId" text, address text, operation text, "playerId" text, "roundId" text,
             status smallint, code text, meaning text, body text, "transactionIds" text[])`,
    values: [JSON.stringify(lines)],
  });
}

export interface NonceKey {
  readonly connectionId: string;
  readonly nonce: string;
}

/**
 * Stores nonces. Returns a function that says whether a key is new. If the list contains the same key several
 * times, the function returns true only once for this key.
 */
export async function insertNonces(
  db: Queryable,
  { packageId, keys, expiresAt }: { packageId: number; keys: readonly NonceKey[]; expiresAt: Date },
): Promise<(key: NonceKey) => boolean> {
  // The nonces are sorted. Otherwise two processes that insert the same nonces could deadlock.
  const { rows } = await db.query<{ connection_id: string; nonce: string }>({
    name: 'insert_provider_nonces',
    text: `insert into provider_nonces (package_id, connection_id, nonce, expires_at)
           select $1, n.connection_id, n.nonce, $4
           from unnest($2::text[], $3::text[]) as n (connection_id, nonce)
           order by n.connection_id, n.nonce
           on conflict do nothing
           returning connection_id, nonce`,
    values: [packageId, keys.map((key) => key.connectionId), keys.map((key) => key.nonce), expiresAt],
  });
  const isNew = new Set(rows.map((row) => `${row.connection_id} ${row.nonce}`));
  return ({ connectionId, nonce }) => isNew.delete(`${connectionId} ${nonce}`);
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
