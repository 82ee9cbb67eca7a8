// Reads provider connections.
import { type MasterKey, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { Connection, OpenConnection } from './connection.ts';
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
export async function listConnections(db: Queryable, packageId: number): Promise<Connection[]> {
  const { rows } = await db.query(
    `select ${fields} from provider_connections c where c.package_id = $1 order by c.number`,
    [packageId],
  );
  return rows.map(fromRow<Connection>);
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
