// Reads provider connections.
import { type MasterKey, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { ListedCall } from './call-line.ts';
import type { Connection, ListedConnection, OpenConnection } from './connection.ts';
import type { Secrets } from './dialects/dialect.ts';

const fields = `c.package_id, c.id, c.name, c.dialect, c.profile, c.state, c.game_prefix, c.currencies,
  c.upstream_url, c.created_at`;

interface SealedRow {
  secrets_sealed: Buffer;
  previous_sealed: Buffer | null;
  previous_until: Date | null;
  uid: string;
}

/** Binds sealed credentials to their connection, so that they cannot be moved to another row. */
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

interface CallPosition {
  readonly at: Date;
  readonly id: bigint;
}

interface WantedCalls {
  readonly packageId: number;
  readonly connectionId: string;
  /** Starts after this line. */
  readonly before: CallPosition | undefined;
}

const placeCalls = ({ packageId, connectionId, before }: WantedCalls) => ({
  condition: `package_id = $1 and connection_id = $2 ${before ? 'and (at, id) < ($3, $4)' : ''}`,
  values: [packageId, connectionId, ...(before ? [before.at, before.id] : [])],
});

/** The newest calls of a connection. */
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

/**
 * The positions of the calls that contain a transaction, newest first, among the next `rows` calls, and the
 * last position that was searched. It is undefined if the search reached the oldest call.
 */
export async function searchCalls(
  db: Queryable,
  wanted: WantedCalls & { transactionId: string; rows: number },
): Promise<{ found: CallPosition[]; end: CallPosition | undefined }> {
  const { condition, values } = placeCalls(wanted);
  const [rowsAt, idAt] = [values.length + 1, values.length + 2];
  const { rows } = await db.query<CallPosition & { matches: boolean; number: bigint }>(
    `select at, id, matches, number from (
       select at, id, $${idAt} = any (transaction_ids) as matches,
         row_number() over (order by at desc, id desc) as number
       from (select at, id, transaction_ids from provider_calls where ${condition}
             order by at desc, id desc limit $${rowsAt}) as searched) as numbered
     where matches or number = $${rowsAt} order by number`,
    [...values, wanted.rows, wanted.transactionId],
  );
  const last = rows.at(-1);
  return {
    found: rows.filter(({ matches }) => matches),
    end: last && Number(last.number) === wanted.rows ? last : undefined,
  };
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

/** The balances of accounts that exist. */
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
