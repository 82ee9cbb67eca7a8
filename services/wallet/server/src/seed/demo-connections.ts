// The demo's provider connections, one per dialect, and the credentials that `npm run credentials` prints.
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type MasterKey, makeSecret } from '@counterfoil/kit/crypto/secrets';
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { operator } from '../audit/audit-event.ts';
import { createConnection } from '../connections/change-connections.ts';
import { findPackageNumber, writeConnectionUrl, writeProvidersUrl } from '../connections/connection.ts';
import type { DialectName, Secrets } from '../connections/dialects/dialect.ts';
import { dialects } from '../connections/dialects/dialects.ts';
import { findConnection } from '../connections/queries.ts';
import { findPackageId } from '../packages/queries.ts';

interface DemoConnection {
  readonly id: string;
  readonly package_uid: string;
  readonly dialect: DialectName;
  /**
   * The private key of the demo's provider, only for hub88. A real provider does not share its private key.
   */
  readonly private_key_pem?: string;
}

/**
 * The credentials of the demo as the database stores them. The tokens of the connections are not included,
 * because they are stored with the connections.
 */
export interface DemoCredentials {
  readonly admin: { readonly email: string; readonly password: string };
  readonly packages: readonly { readonly uid: string }[];
  /** The demo connections. Databases of version 0.1 do not have them. */
  readonly connections?: readonly DemoConnection[];
}

/**
 * Creates the connections of the demo: SoftSwiss and Slotegrator for the first package, the other dialects
 * for the last package.
 */
export async function createDemoConnections(
  tx: Tx,
  masterKey: MasterKey,
  { first, last }: { first: string; last: string },
): Promise<DemoConnection[]> {
  const wanted: [string, DialectName, string][] = [
    [first, 'softswiss', 'SoftSwiss (demo)'],
    [first, 'slotegrator', 'Slotegrator (demo)'],
    [last, 'valkyrie', 'Valkyrie (demo)'],
    [last, 'hub88', 'Hub88 (demo)'],
  ];
  const created: DemoConnection[] = [];
  for (const [uid, dialect, name] of wanted) {
    const packageId = await findPackageId(tx, uid);
    if (packageId === undefined) throw new Error(`the demo package ${uid} does not exist`);
    const { secrets, key } = await chooseSecrets(dialect);
    const { connection } = await createConnection(
      tx,
      { masterKey, dialects },
      {
        ...{ packageId, name, dialect, profile: '', gamePrefix: '', currencies: {}, upstreamUrl: undefined },
        ...{ secrets, actor: operator, at: new Date() },
      },
    );
    created.push({ id: connection.id, package_uid: uid, dialect, ...(key && { private_key_pem: key }) });
  }
  return created;
}

const generatePair = promisify(generateKeyPair);

/** The credentials that the demo's provider chooses, and its private key if the dialect needs one. */
async function chooseSecrets(dialect: DialectName): Promise<{ secrets: Secrets; key?: string }> {
  switch (dialect) {
    case 'softswiss':
      return { secrets: { token: makeSecret('cps_') } };
    case 'slotegrator':
      return { secrets: { merchant_id: 'demo-merchant', merchant_key: makeSecret('cps_') } };
    case 'valkyrie':
      return { secrets: {} };
    case 'hub88': {
      const { publicKey, privateKey } = await generatePair('rsa', { modulusLength: 2048 });
      const secrets = {
        provider_public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      };
      return { secrets, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    }
  }
}

/** For each dialect, the credentials with which the provider calls the wallet. */
const callerSecrets: Record<DialectName, readonly string[]> = {
  softswiss: ['token'],
  slotegrator: ['merchant_id', 'merchant_key'],
  valkyrie: ['token', 'recon_token'],
  hub88: [],
};

/**
 * The demo's credentials, without the credentials of deleted connections. Undefined if the database has no
 * demo data.
 */
export async function readDemoCredentials(db: Db, masterKey: MasterKey, publicUrl: string) {
  const found = (await findDemoCredentials(db, masterKey)) as DemoCredentials | undefined;
  if (!found) return undefined;
  const providersUrl = writeProvidersUrl(publicUrl);
  const connections = [];
  for (const each of found.connections ?? []) {
    const secrets = await findSecrets(db, masterKey, each);
    if (!secrets) continue;
    connections.push({ ...each, url: writeConnectionUrl(providersUrl, each.id), ...secrets });
  }
  return { ...found, connections };
}

async function findSecrets(
  db: Queryable,
  masterKey: MasterKey,
  { id, dialect }: DemoConnection,
): Promise<Secrets | undefined> {
  const packageId = findPackageNumber(id);
  const found = packageId === undefined ? undefined : await findConnection(db, masterKey, { packageId, id });
  if (!found) return undefined;
  const { secrets } = found.connection;
  return Object.fromEntries(callerSecrets[dialect].map((name) => [name, secrets[name] ?? '']));
}
