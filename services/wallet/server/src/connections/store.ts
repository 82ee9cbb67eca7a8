// Writes rows of `provider_connections`, `deleted_connections` and `provider_calls`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { ProviderCallLine } from './call-line.ts';
import type { Connection, ConnectionState } from './connection.ts';

export async function insertConnection(
  tx: Tx,
  { packageId, id, ...row }: Connection & { readonly secretsSealed: Buffer },
): Promise<void> {
  await tx.query(
    `insert into provider_connections (package_id, id, name, dialect, profile, state, game_prefix,
       currencies, upstream_url, secrets_sealed, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[packageId, id, row.name, row.dialect, row.profile, row.state, row.gamePrefix],
      ...[JSON.stringify(row.currencies), row.upstreamUrl ?? null, row.secretsSealed, row.createdAt],
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

/** The old credentials are accepted until `previousUntil`; without it, they end at once. */
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

/** The name and the dialect stay, because movements and calls of the connection are still shown. */
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

export async function insertCallLines(tx: Queryable, lines: readonly ProviderCallLine[]): Promise<void> {
  const column = <Name extends keyof ProviderCallLine>(name: Name) => lines.map((line) => line[name]);
  await tx.query({
    name: 'insert_provider_calls',
    text: `insert into provider_calls (package_id, at, connection_id, request_id, address, operation,
             player_id, round_id, status, code, meaning, body, transaction_ids)
           select n.package_id, n.at, n.connection_id, n.request_id, n.address, n.operation,
             n.player_id, n.round_id, n.status, n.code, n.meaning, n.body,
             array(select jsonb_array_elements_text(n.transaction_ids::jsonb))
           from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
             $7::text[], $8::text[], $9::smallint[], $10::text[], $11::text[], $12::text[], $13::text[])
             as n (package_id, at, connection_id, request_id, address, operation, player_id, round_id,
               status, code, meaning, body, transaction_ids)`,
    values: [
      ...[column('packageId'), column('at'), column('connectionId'), column('requestId')],
      ...[column('address'), column('operation'), column('playerId'), column('roundId')],
      ...[column('status'), column('code'), column('meaning'), column('body')],
      lines.map((line) => JSON.stringify(line.transactionIds)),
    ],
  });
}
