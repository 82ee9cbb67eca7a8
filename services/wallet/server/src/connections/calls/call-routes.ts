// Management routes: a test call to a connection, and the latest calls of its provider.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { createThrottle, throttleHeaders } from '@counterfoil/kit/http/throttle';
import { type Static, type TObject, Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute } from '../../access-policy.ts';
import { fail } from '../../errors.ts';
import { PlayerId } from '../../players/player.ts';
import { NextCursor, PageQuery, parseLimit } from '../../wire/paging.ts';
import { findPackageNumber } from '../connection.ts';
import type { FoundConnection } from '../find-connection.ts';
import { type ConnectionDeps, ConnectionParams } from '../management-routes.ts';
import { findConnection, listConnections, listNamedConnections } from '../queries.ts';
import { presentTestRequest, sendTestCall } from '../send-test-call.ts';
import { CallAnswer, Meaning, NamedCall, presentCall, presentNamedCall } from './call-line.ts';
import { listCalls } from './list-calls.ts';

const testsPerMinute = 20;

const CallQuery = {
  ...PageQuery,
  transaction_id: Type.Optional(PrintableText({ min: 1, max: 128 })),
  player_id: Type.Optional(PlayerId),
};

const logDescription =
  'The log is written once per second. A search for a transaction or a player reads 5,000 calls per page, ' +
  'so a page may be empty although `next_cursor` names another.';

export function registerConnectionCalls(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  registerTest(app, policy, deps);
  registerCallList(app, policy, deps);
  registerPackageCalls(app, policy, deps);
}

function registerTest(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const data = Type.Object({
    request: Type.Object({
      method: Type.String(),
      path: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    }),
    response: Type.Object({ status: Type.Integer(), body: Type.String() }),
    meaning: Meaning,
  });
  const shown = {
    role: 'owner',
    summary: 'Send a test call to a provider connection',
    description:
      'Sends a correctly signed balance call as the provider would. It moves no money and appears among ' +
      'the calls. For hub88 a temporary key signs it, because the wallet does not have the private key ' +
      'of the provider.',
    data,
  } as const;
  const body = Type.Object({ player_id: PlayerId });
  const route = packageRoute(policy, shown, { params: ConnectionParams, body });
  const tests = createThrottle({ perMinute: testsPerMinute, now: () => deps.now().getTime() });
  app.post(`${policy.packagePath}/connections/:connection_id/test`, route, async (request) => {
    const { packageId } = getHome(request);
    const found = await findFresh(deps, { packageId, id: request.params.connection_id });
    if (!found) throw fail('connection_not_found');
    const counted = tests.fail(String(packageId));
    if (counted.limited) {
      throw fail('rate_limited', { headers: throttleHeaders('connection-tests', tests, counted) });
    }
    const { player_id: playerId } = request.body;
    const test = { found, playerId, requestId: request.id, address: request.ip };
    const { request: sent, response, meaning } = await sendTestCall(deps.connecting, test);
    return answer(request, { request: presentTestRequest(sent), response, meaning });
  });
}

/**
 * Reads the connection from the database and not from the cache, so that a test call sees a change that
 * another process has just made.
 */
async function findFresh(
  { db, masterKey, finder }: ConnectionDeps,
  key: { packageId: number; id: string },
): Promise<FoundConnection | undefined> {
  const isOwn = findPackageNumber(key.id) === key.packageId;
  const read = isOwn ? await findConnection(db, masterKey, key) : undefined;
  const customerPackage = read && (await finder.find(read.uid));
  return customerPackage && { connection: read.connection, customerPackage };
}

function registerCallList(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const data = Type.Object({ calls: Type.Array(CallAnswer), next_cursor: NextCursor });
  const shown = {
    role: 'member',
    summary: 'List the calls of a provider connection, newest first',
    description: `Each call is listed with its original body and its meaning. ${logDescription}`,
    data,
  } as const;
  const querystring = Type.Object(CallQuery);
  const route = packageRoute(policy, shown, { params: ConnectionParams, querystring });
  app.get(`${policy.packagePath}/connections/:connection_id/calls`, route, async (request) => {
    const { packageId } = getHome(request);
    const { connection_id: connectionId } = request.params;
    const isOwn = findPackageNumber(connectionId) === packageId;
    const connections = isOwn ? await listConnections(deps.db, packageId) : [];
    if (!connections.some(({ id }) => id === connectionId)) throw fail('connection_not_found');
    const page = await listCalls(deps.db, { packageId, connectionId, ...readSearch(request.query) });
    return answer(request, { calls: page.calls.map(presentCall), next_cursor: page.nextCursor });
  });
}

/** Lists the calls of all connections of a package, each with the name of its connection. */
function registerPackageCalls(app: App, policy: AccessPolicy, deps: ConnectionDeps): void {
  const data = Type.Object({ calls: Type.Array(NamedCall), next_cursor: NextCursor });
  const shown = {
    role: 'member',
    summary: 'List the calls of all provider connections, newest first',
    description: `Lists each call with its connection, its original body and its meaning. ${logDescription}`,
    data,
  } as const;
  const querystring = Type.Object(CallQuery);
  const route = packageRoute(policy, shown, { querystring });
  app.get(`${policy.packagePath}/provider-calls`, route, async (request) => {
    const { packageId } = getHome(request);
    const wanted = { packageId, connectionId: undefined, ...readSearch(request.query) };
    const page = await listCalls(deps.db, wanted);
    const connections = page.calls.length > 0 ? await listNamedConnections(deps.db, packageId) : [];
    const calls = page.calls.map((call) => presentNamedCall(call, connections));
    return answer(request, { calls, next_cursor: page.nextCursor });
  });
}

function readSearch(query: Static<TObject<typeof CallQuery>>) {
  const { transaction_id: transactionId, player_id: playerId, cursor, limit } = query;
  return { transactionId, playerId, cursor, limit: parseLimit(limit) };
}
