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
}

/** The credentials as they are stored. Those of connections are read from the connections. */
export interface DemoCredentials {
  readonly admin: { readonly email: string; readonly password: string };
  readonly packages: readonly { readonly uid: string }[];
  /** Absent in databases of version 0.1. */
  readonly connections?: readonly DemoConnection[];
}

/** Creates the connections: SoftSwiss and Slotegrator for the first package, the others for the last. */
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
    const { connection } = await createConnection(
      tx,
      { masterKey, dialects },
      {
        ...{ packageId, name, dialect, profile: '', gamePrefix: '', currencies: {}, upstreamUrl: undefined },
        ...{ secrets: await chooseSecrets(dialect), actor: operator, at: new Date() },
      },
    );
    created.push({ id: connection.id, package_uid: uid, dialect });
  }
  return created;
}

/** The name of the demo provider's private key. Only the demo stores it: a real provider keeps its own. */
const demoKeyName = 'provider_private_key_pem';

const generatePair = promisify(generateKeyPair);

/** The credentials that a provider chooses. */
async function chooseSecrets(dialect: DialectName): Promise<Secrets> {
  if (dialect === 'softswiss') return { token: makeSecret('cps_') };
  if (dialect === 'slotegrator') return { merchant_id: 'demo-merchant', merchant_key: makeSecret('cps_') };
  if (dialect !== 'hub88') return {};
  const { publicKey, privateKey } = await generatePair('rsa', { modulusLength: 2048 });
  return {
    provider_public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    [demoKeyName]: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** The names of the credentials with which a provider calls, by their printed names. */
const printedSecrets: Record<DialectName, Readonly<Record<string, string>>> = {
  softswiss: { token: 'token' },
  slotegrator: { merchant_id: 'merchant_id', merchant_key: 'merchant_key' },
  valkyrie: { token: 'token', recon_token: 'recon_token' },
  hub88: { private_key_pem: demoKeyName },
};

/** The demo's credentials; undefined if the database is not the demo's. Deleted connections are left out. */
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
  const printed = Object.entries(printedSecrets[dialect]);
  return Object.fromEntries(printed.map(([name, stored]) => [name, secrets[stored] ?? '']));
}
