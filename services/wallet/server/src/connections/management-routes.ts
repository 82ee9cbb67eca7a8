// Management of provider connections: list, create, edit, rotate and delete.
import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { AddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, PackageParams, packageRoute } from '../access-policy.ts';
import type { PackageFinder } from '../packages/callers/find-package.ts';
import { defaultOverlap, overlapNames } from '../packages/credentials/key-pair.ts';
import { type ManagementDeps, targetOf } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import {
  createConnection,
  editConnection,
  removeConnection,
  rotateConnection,
} from './change-connections.ts';
import { ConnectionAnswer, presentConnection } from './connection.ts';
import {
  checkProfile,
  NewSettings,
  parseSettings,
  type SentSettings,
  Settings,
} from './connection-settings.ts';
import { Credentials, presentCredentials } from './credentials.ts';
import { dialectNames, type Secrets } from './dialects/dialect.ts';
import { listConnections } from './queries.ts';
import type { ProviderRouteDeps } from './routes.ts';

export interface ConnectionManagementDeps {
  /** The dependencies that serve the calls of providers. Test calls use them too. */
  readonly connecting: ProviderRouteDeps;
  readonly finder: PackageFinder;
  readonly guard: AddressGuard;
  /** The public address to which the id of a connection is appended. */
  readonly providersUrl: string;
}

export type ConnectionDeps = ManagementDeps & ConnectionManagementDeps;

const WithConnection = Type.Object({ connection: ConnectionAnswer });

/** Credentials by name, which are shown once. */
const ShownSecrets = Type.Record(Type.String(), Type.String(), {
  description:
    'The credentials, which are shown only here. `public_key_pem` is the public key of our private key, ' +
    'to give to the provider.',
});

export const ConnectionParams = Type.Object({ ...PackageParams, connection_id: Type.String() });

export function registerConnectionManagement(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const data = Type.Object({ connections: Type.Array(ConnectionAnswer) });
  const summary = 'List provider connections';
  const route = packageRoute(policy, { role: 'member', summary, data });
  app.get(`${policy.packagePath}/connections`, route, async (request) => {
    const listed = await listConnections(deps.db, getHome(request).packageId);
    const shown = { ...deps, now: deps.now() };
    return answer(request, { connections: listed.map((each) => presentConnection(each, shown)) });
  });
  registerCreation(app, policy, deps);
  registerEdit(app, policy, deps);
  registerRotation(app, policy, deps);
  registerDeletion(app, policy, deps);
}

const useCases = ({ masterKey, connecting: { dialects } }: ConnectionDeps) => ({ masterKey, dialects });

async function parseSent({ db, guard }: ConnectionDeps, packageId: number, sent: SentSettings) {
  const { currency } = await getManagedPackage(db, packageId);
  return parseSettings(sent, { currency, refuseUrl: guard.refuse });
}

function registerCreation(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const data = Type.Object({ connection: ConnectionAnswer, secrets: ShownSecrets });
  const body = Type.Object({
    dialect: Type.Enum([...dialectNames]),
    ...NewSettings,
    secrets: Type.Optional(Credentials),
  });
  const summary = 'Create a provider connection';
  const route = packageRoute(policy, { role: 'owner', summary, data }, { body });
  app.post(`${policy.packagePath}/connections`, route, async (request) => {
    const { dialect, profile = '', secrets = {}, ...sent } = request.body;
    const target = targetOf(deps, request);
    checkProfile(dialect, profile);
    const parsed = await parseSent(deps, target.packageId, sent);
    const wanted = {
      ...{ name: '', gamePrefix: '', currencies: {}, upstreamUrl: undefined, ...parsed },
      ...{ dialect, profile, secrets: secrets as Secrets, ...target },
    };
    const made = await deps.db.transaction((tx) => createConnection(tx, useCases(deps), wanted));
    return answer(request, {
      connection: presentConnection(made.connection, { ...deps, now: target.at }),
      secrets: presentCredentials(made.secrets),
    });
  });
}

function registerEdit(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const summary = 'Change, pause or resume a provider connection';
  const shown = { role: 'owner', summary, data: WithConnection } as const;
  const route = packageRoute(policy, shown, { params: ConnectionParams, body: Settings });
  app.patch(`${policy.packagePath}/connections/:connection_id`, route, async (request) => {
    const { state, ...sent } = request.body;
    const target = { ...targetOf(deps, request), id: request.params.connection_id };
    const changes = { ...(await parseSent(deps, target.packageId, sent)), ...(state && { state }) };
    const edited = await deps.db.transaction((tx) => editConnection(tx, useCases(deps), target, changes));
    return answer(request, { connection: presentConnection(edited, { ...deps, now: target.at }) });
  });
}

function registerRotation(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const time = Type.String({ format: 'date-time' });
  const data = Type.Object({ secrets: ShownSecrets, old_until: time });
  const body = Type.Object({
    overlap: Type.Optional(
      Type.Enum(overlapNames, {
        description: 'How long the replaced credentials stay valid; 24h by default.',
      }),
    ),
    secrets: Type.Optional(Credentials),
  });
  const summary = 'Replace the credentials of a provider connection';
  const shown = { role: 'owner', summary, data } as const;
  const route = packageRoute(policy, shown, { params: ConnectionParams, body });
  app.post(`${policy.packagePath}/connections/:connection_id/rotate`, route, async (request) => {
    const { overlap = defaultOverlap, secrets = {} } = request.body;
    const { connection_id: id } = request.params;
    const rotation = { ...targetOf(deps, request), id, overlap, secrets: secrets as Secrets };
    const made = await deps.db.transaction((tx) => rotateConnection(tx, useCases(deps), rotation));
    return answer(request, {
      secrets: presentCredentials(made.secrets),
      old_until: made.oldUntil.toISOString(),
    });
  });
}

function registerDeletion(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const summary = 'Delete a provider connection';
  const shown = { role: 'owner', summary, data: Nothing } as const;
  const route = packageRoute(policy, shown, { params: ConnectionParams });
  app.delete(`${policy.packagePath}/connections/:connection_id`, route, async (request) => {
    const target = { ...targetOf(deps, request), id: request.params.connection_id };
    await deps.db.transaction((tx) => removeConnection(tx, useCases(deps), target));
    return answer(request, {});
  });
}
