// Reads provider connections.
import { type MasterKey, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { ListedCall } from './calls/call-line.ts';
import type { Connection, ListedConnection, NamedConnection, OpenConnection } from './connection.ts';
import type { Secrets } from './dialects/dialect.ts';

const fields = `c.package_id, c.id, c.name, c.dialect, c.profile, c.state, c.game_prefix, c.currencies,
  c.upstream_url, c.shares_names, c.created_at`;

interface SealedRow {
  secrets_sealed: Buffer;
  previous_sealed: Buffer | null;
  previous_until: Date | null;
  uid: string;
}

/**
 * The encryption context, which binds sealed credentials to their connection. Credentials that are copied to
 * the row of a different connection cannot be unsealed.
 */
export const sealContext = (id: string): string => `provider_connection/${id}`;

const unsealSecrets = (masterKey: MasterKey, id: string, sealed: Buffer): Secrets =>
  JSON.parse(unseal(masterKey, { sealed, context: sealContext(id) })) as Secrets;

/** A connection with its credentials, and the UID of its package. */
export async function findConnection(
  db: Queryable,
  masterKey: MasterKey,
  key: { packageId: number; id: string },
): Promise<{ connection: OpenConnection; uid: string } | undefined> {
  const { rows } = await db.query<SealedRow>({
    name: 'select_provider_connection',
    text: `select ${fields}, c.secrets_sealed, c.previous_sealed, c.previous_until, p.uid
           from provider_connections c join packages p on p.id = c.package_id
           where c.package_id = $1 and c.id = $2`,
    values: [key.packageId, key.id],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { secrets_sealed: sealed, previous_sealed: before, previous_until: until, uid, ...rest } = row;
  const secrets = unsealSecrets(masterKey, key.id, sealed);
  const previous = before && until ? { secrets: unsealSecrets(masterKey, key.id, before), until } : undefined;
  return { connection: { ...fromRow<Connection>(rest), secrets, previous }, uid };
}

/** The connections of a package, oldest first. */
export async function listConnections(db: Queryable, packageId: number): Promise<ListedConnection[]> {
  const { rows } = await db.query(
    `select ${fields}, c.previous_until from provider_connections c
     where c.package_id = $1 order by c.number`,
    [packageId],
  );
  return rows.map(fromRow<ListedConnection>);
}

/**
 * The maximum number of deleted connections that are read. Connections that were deleted earlier are left
 * out.
 */
export const maxDeleted = 200;

/** Lists the connections of a package: first those that are not deleted, then the newest deleted ones. */
export async function listNamedConnections(db: Queryable, packageId: number): Promise<NamedConnection[]> {
  const { rows } = await db.query(
    `(select id, name, dialect from provider_connections where package_id = $1 order by number)
     union all
     (select id, name, dialect from deleted_connections where package_id = $1
      order by deleted_at desc, id limit $2)`,
    [packageId, maxDeleted],
  );
  return rows.map(fromRow<NamedConnection>);
}

interface CallPosition {
  readonly at: Date;
  readonly id: bigint;
}

interface WantedCalls {
  readonly packageId: number;
  /** The connection whose calls are read; undefined for all connections of the package. */
  readonly connectionId: string | undefined;
  /** The position of the last call of the previous page. Only older calls are read. */
  readonly before: CallPosition | undefined;
}

/**
 * Builds the SQL condition for the wanted calls. Each filter adds a separate condition, so that PostgreSQL
 * can use the index for it.
 */
function placeCalls({ packageId, connectionId, before }: WantedCalls) {
  const values: unknown[] = [packageId];
  const conditions = ['package_id = $1'];
  if (connectionId !== undefined) conditions.push(`connection_id = $${values.push(connectionId)}`);
  if (before) conditions.push(`(at, id) < ($${values.push(before.at)}, $${values.push(before.id)})`);
  return { condition: conditions.join(' and '), values };
}

/** Returns the newest calls before the given position. */
export async function selectCalls(
  db: Queryable,
  wanted: WantedCalls & { limit: number },
): Promise<ListedCall[]> {
  const { condition, values } = placeCalls(wanted);
  const { rows } = await db.query(
    `select * from provider_calls where ${condition}
     order by at desc, id desc limit $${values.length + 1}`,
    [...values, wanted.limit],
  );
  return rows.map(fromRow<ListedCall>);
}

export interface CallSearch {
  readonly transactionId: string | undefined;
  readonly playerId: string | undefined;
}

/**
 * Searches up to `rows` calls that are older than `before`, newest first. `found` has the positions of the
 * calls that match. `end` is the last position that was searched; it is undefined if the search reached the
 * oldest call.
 */
export async function searchCalls(
  db: Queryable,
  wanted: WantedCalls & CallSearch & { rows: number },
): Promise<{ found: CallPosition[]; end: CallPosition | undefined }> {
  const { condition, values } = placeCalls(wanted);
  const [rowsAt, idAt, playerAt] = [values.length + 1, values.length + 2, values.length + 3];
  const { rows } = await db.query<CallPosition & { matches: boolean; number: bigint }>(
    `select at, id, matches, number from (
       select at, id, ($${idAt}::text is null or $${idAt} = any (transaction_ids))
           and ($${playerAt}::text is null or player_id = $${playerAt}) as matches,
         row_number() over (order by at desc, id desc) as number
       from (select at, id, transaction_ids, player_id from provider_calls where ${condition}
             order by at desc, id desc limit $${rowsAt}) as searched) as numbered
     where matches or number = $${rowsAt} order by number`,
    [...values, wanted.rows, wanted.transactionId ?? null, wanted.playerId ?? null],
  );
  const last = rows.at(-1);
  return {
    found: rows.filter(({ matches }) => matches),
    end: last && Number(last.number) === wanted.rows ? last : undefined,
  };
}

/**
 * Searches the first `rows` calls of a connection since the given time. Returns the calls with the
 * transaction id, oldest first.
 */
export async function searchCallsSince(
  db: Queryable,
  wanted: { packageId: number; connectionId: string; since: Date; transactionId: string; rows: number },
): Promise<ListedCall[]> {
  const { packageId, connectionId, since, transactionId, rows: limit } = wanted;
  const { rows } = await db.query(
    `select * from (select * from provider_calls
       where package_id = $1 and connection_id = $2 and at >= $3 order by at, id limit $4) as searched
     where $5 = any (transaction_ids)`,
    [packageId, connectionId, since, limit, transactionId],
  );
  return rows.map(fromRow<ListedCall>);
}

/** The calls at these positions, newest first. */
export async function selectCallsAt(
  db: Queryable,
  { packageId }: { packageId: number },
  positions: readonly CallPosition[],
): Promise<ListedCall[]> {
  const { rows } = await db.query(
    `select * from provider_calls
     where package_id = $1 and at = any ($2::timestamptz[]) and id = any ($3::bigint[])
     order by at desc, id desc`,
    [packageId, positions.map(({ at }) => at), positions.map(({ id }) => id)],
  );
  return rows.map(fromRow<ListedCall>);
}

/** Returns the balances of those accounts that exist. */
export async function selectBalances(
  db: Queryable,
  packageId: number,
  accounts: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  const { rows } = await db.query<{ id: bigint; balance: bigint }>({
    name: 'select_purses',
    text: 'select id, balance from accounts where package_id = $1 and id = any ($2::bigint[])',
    values: [packageId, accounts],
  });
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}
