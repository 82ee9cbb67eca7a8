// Creates, edits, pauses, rotates and deletes provider connections.
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type MasterKey, makeSecret, seal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { endOfOverlap, type Overlap } from '../packages/credentials/key-pair.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from '../packages/lock-package.ts';
import {
  type Connection,
  type ConnectionState,
  type Dialects,
  findPackageNumber,
  type ListedConnection,
  makeConnectionId,
} from './connection.ts';
import { checkCredentials } from './credentials.ts';
import type { Dialect, DialectName, Secrets } from './dialects/dialect.ts';
import { findConnection, listConnections, sealContext } from './queries.ts';
import { deleteConnection, insertConnection, saveConnection, saveSecrets } from './store.ts';

/**
 * The maximum number of connections per package. It bounds how many lists of games `game/list` merges, and
 * how many connections the panel shows.
 */
const maxConnections = 50;

export interface ConnectionSettings {
  readonly name: string;
  readonly gamePrefix: string;
  readonly currencies: Readonly<Record<string, string>>;
  readonly upstreamUrl: string | undefined;
}

export interface NewConnection extends ConnectionSettings {
  readonly dialect: DialectName;
  readonly profile: string;
  /**
   * All credentials that the provider chose. The wallet generates its own credentials, unless they are given
   * here too.
   */
  readonly secrets: Secrets;
}

export interface ConnectionDeps {
  readonly masterKey: MasterKey;
  readonly dialects: Dialects;
}

/** Creates a connection. The result contains the credentials, which are shown once. */
export async function createConnection(
  tx: Tx,
  { masterKey, dialects }: ConnectionDeps,
  { secrets: given, ...wanted }: NewConnection & PackageTarget,
): Promise<{ connection: ListedConnection; secrets: Secrets }> {
  const { packageId, actor, at, ...settings } = wanted;
  checkCredentials(dialects[wanted.dialect], given);
  const { uid } = await lockPackage(tx, packageId);
  if ((await listConnections(tx, packageId)).length >= maxConnections) throw fail('too_many_connections');
  const id = makeConnectionId(packageId);
  const secrets = await completeSecrets(dialects[wanted.dialect].secrets, given);
  const fresh = { state: 'active', sharesNames: false, createdAt: at } as const;
  const connection: Connection = { ...settings, ...fresh, packageId, id };
  await insertConnection(tx, { ...connection, secretsSealed: sealSecrets(masterKey, id, secrets) });
  const details = { name: wanted.name, dialect: wanted.dialect };
  await record(tx, { packageId, actor, at, uid }, { id, action: 'connection_created', details });
  return { connection: { ...connection, previousUntil: undefined }, secrets };
}

const sealSecrets = (masterKey: MasterKey, id: string, secrets: Secrets): Buffer =>
  seal(masterKey, { plain: JSON.stringify(secrets), context: sealContext(id) });

const record = (
  tx: Tx,
  target: PackageTarget & { uid: string },
  { id, ...event }: { id: string; action: string; details?: Readonly<Record<string, unknown>> },
): Promise<void> => recordPackageChange(tx, target, { ...event, subject: { kind: 'connection', id } });

/**
 * Adds the missing credentials: generates those that the wallet chooses, and throws if one that the provider
 * chooses is missing.
 */
async function completeSecrets(
  needed: Readonly<Record<string, 'ours' | 'theirs'>>,
  given: Secrets,
): Promise<Secrets> {
  const secrets: Record<string, string> = { ...given };
  for (const [name, chosenBy] of Object.entries(needed)) {
    if (secrets[name] !== undefined) continue;
    if (chosenBy === 'theirs')
      throw fail('invalid_parameter', { errors: { [`secrets.${name}`]: ['is required.'] } });
    secrets[name] = await generateSecret(name);
  }
  return secrets;
}

const generatePair = promisify(generateKeyPair);

async function generateSecret(name: string): Promise<string> {
  if (!name.endsWith('_pem')) return makeSecret('cps_');
  const { privateKey } = await generatePair('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

type ConnectionTarget = PackageTarget & { readonly id: string };

async function lockConnection(tx: Tx, { masterKey }: ConnectionDeps, { packageId, id }: ConnectionTarget) {
  const { uid } = await lockPackage(tx, packageId);
  // A text that is not a valid id is not looked up, because it may contain characters that the database
  // refuses.
  const isOwn = findPackageNumber(id) === packageId;
  const found = isOwn ? await findConnection(tx, masterKey, { packageId, id }) : undefined;
  if (!found) throw fail('connection_not_found');
  return { uid, connection: found.connection };
}

/** Changes only the given settings. If the new values equal the old values, the audit log gets no entry. */
export async function editConnection(
  tx: Tx,
  deps: ConnectionDeps,
  target: ConnectionTarget,
  changes: Partial<ConnectionSettings> & { readonly state?: ConnectionState },
): Promise<ListedConnection> {
  const { uid, connection } = await lockConnection(tx, deps, target);
  const { secrets: _, previous, ...before } = connection;
  const changed = { ...before, ...changes };
  const details = describeChange(before, changed);
  if (Object.keys(details).length > 0) {
    await saveConnection(tx, target, changed);
    const action = nameChange(before.state, changed.state);
    await record(tx, { ...target, uid }, { id: target.id, action, details });
  }
  return { ...changed, previousUntil: previous?.until };
}

function describeChange(
  before: Connection,
  after: Connection,
): Record<string, { from: unknown; to: unknown }> {
  const old: Record<string, unknown> = presentSettings(before);
  const changes = Object.entries(presentSettings(after))
    .filter(([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value))
    .map(([field, value]) => [field, { from: old[field], to: value }]);
  return Object.fromEntries(changes);
}

const presentSettings = ({ name, state, gamePrefix, currencies, upstreamUrl }: Connection) => ({
  name,
  state,
  game_prefix: gamePrefix,
  currencies,
  upstream_url: upstreamUrl ?? null,
});

function nameChange(before: ConnectionState, after: ConnectionState): string {
  if (before === after) return 'connection_edited';
  return after === 'paused' ? 'connection_paused' : 'connection_resumed';
}

/**
 * Replaces the credentials. The old credentials are accepted until the end of the overlap. The caller passes
 * the new credentials that the provider chose. The wallet generates new values for its own credentials.
 * Returns only the credentials that changed, because the others were shown before.
 */
export async function rotateConnection(
  tx: Tx,
  deps: ConnectionDeps,
  target: ConnectionTarget & { overlap: Overlap; secrets: Secrets },
): Promise<{ secrets: Secrets; oldUntil: Date }> {
  const { uid, connection } = await lockConnection(tx, deps, target);
  const { overlap, at, id, secrets: given } = target;
  const { previous, dialect: name } = connection;
  const dialect = deps.dialects[name];
  checkCredentials(dialect, given);
  refuseEmptyRotation(dialect, given);
  // The last rotation promised that the credentials that it replaced stay valid until a certain time. A
  // second rotation with an overlap would end these credentials earlier, so it is refused.
  if (overlap !== '0' && previous && previous.until > at) throw fail('overlap_running');
  const needed = dialect.secrets;
  const kept = Object.entries(connection.secrets).filter(([each]) => needed[each] !== 'ours');
  const secrets = await completeSecrets(needed, { ...Object.fromEntries(kept), ...given });
  const oldUntil = endOfOverlap(overlap, at);
  const previousUntil = overlap === '0' ? undefined : oldUntil;
  await saveSecrets(tx, target, { sealed: sealSecrets(deps.masterKey, id, secrets), previousUntil });
  const details = { overlap, names: Object.keys(secrets) };
  await record(tx, { ...target, uid }, { id, action: 'connection_rotated', details });
  const changed = Object.entries(secrets).filter(([name, value]) => connection.secrets[name] !== value);
  return { secrets: Object.fromEntries(changed), oldUntil };
}

/**
 * Refuses a rotation that would change nothing: no new credentials are given, and the wallet generates none.
 */
function refuseEmptyRotation({ secrets }: Dialect, given: Secrets): void {
  const chosen = Object.entries(secrets);
  if (Object.keys(given).length > 0 || chosen.some(([, by]) => by === 'ours')) return;
  const names = chosen.map(([name]) => [`secrets.${name}`, ['is required.']]);
  throw fail('invalid_parameter', { errors: Object.fromEntries(names.slice(-1)) });
}

/**
 * Deletes the connection. Later calls get the same answer as calls to an unknown address. The movements of
 * the connection stay in the journal.
 */
export async function removeConnection(
  tx: Tx,
  deps: ConnectionDeps,
  target: ConnectionTarget,
): Promise<void> {
  const { uid, connection } = await lockConnection(tx, deps, target);
  await deleteConnection(tx, target, target.at);
  const details = { name: connection.name, dialect: connection.dialect };
  await record(tx, { ...target, uid }, { id: target.id, action: 'connection_deleted', details });
}
