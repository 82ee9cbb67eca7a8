// Players behind each door: find, read, create, block, and hold a balance against the journal.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import {
  type AccessPolicy,
  getHome,
  getPrincipal,
  managed,
  PackageParams,
} from '../access-policy.ts';
import { fail } from '../errors.ts';
import { proveBalance } from '../ledger/prove-balance.ts';
import { getManagedPackage } from '../packages/get-managed-package.ts';
import { recordPackageEvent } from '../packages/lock-package.ts';
import { createTurns } from '../serial-queue.ts';
import { formatCursor, NextCursor, PageQuery, parseCursor, parseLimit } from '../wire/paging.ts';
import { createPlayer } from './create-player.ts';
import { findPlayer } from './find-player.ts';
import type { StatusFinder } from './find-status.ts';
import { getAccount } from './get-account.ts';
import { listPlayers } from './list-players.ts';
import { Player, PlayerId, PlayerStatusAnswer, presentPlayer } from './player.ts';
import { searchPlayers } from './search-players.ts';
import { setStatus } from './set-status.ts';

export interface PlayerManagementDeps {
  readonly db: Db;
  readonly statuses: StatusFinder;
  readonly now: () => Date;
}

const params = Type.Object(PackageParams);
const WithPlayer = Type.Object({ player: Player });
const byId = Type.Object({ player_id: PlayerId });

const searchText =
  'Part of the id or name, in any letter case. Players whose id begins with it come first, then players whose name ' +
  'begins with it, then the others. A page looks at 5,000 players for the others, so it may be short and still have ' +
  'a `next_cursor`.';

export function registerPlayerManagement(
  app: App,
  policy: AccessPolicy,
  deps: PlayerManagementDeps,
): void {
  registerList(app, policy, deps);
  registerOne(app, policy, deps);
  registerProof(app, policy, deps);
  registerCreate(app, policy, deps);
  registerStatus(app, policy, deps);
}

function registerList(app: App, policy: AccessPolicy, { db }: PlayerManagementDeps): void {
  const data = Type.Object({ players: Type.Array(Player), next_cursor: NextCursor });
  const schema = {
    ...managed(policy, { summary: 'List players in the order of their ids, or search them', data }),
    params,
    querystring: Type.Object({
      ...PageQuery,
      search: Type.Optional(PrintableText({ max: 64, description: searchText })),
    }),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/players`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { search = '' } = request.query;
    const limit = parseLimit(request.query.limit);
    const list = search === '' ? 'players' : 'found_players';
    const after = parseCursor(request.query.cursor, list) ?? '';
    const { currency } = await getManagedPackage(db, packageId);
    const wanted = { packageId, search, after, limit };
    const page = await (search === '' ? listPlayers : searchPlayers)(db, wanted);
    return answer(request, {
      players: page.players.map((player) => presentPlayer(player, currency)),
      next_cursor: formatCursor(list, page.next),
    });
  });
}

const present = async (db: Db, packageId: number, playerId: string) => {
  const { currency } = await getManagedPackage(db, packageId);
  const player = await findPlayer(db, { packageId, playerId });
  if (!player) throw fail('player_not_found');
  return { player: presentPlayer(player, currency) };
};

function registerOne(app: App, policy: AccessPolicy, { db }: PlayerManagementDeps): void {
  const schema = {
    ...managed(policy, { summary: 'Read a player', data: WithPlayer }),
    params,
    querystring: byId,
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/player`, { schema, onRequest }, async (request) =>
    answer(request, await present(db, getHome(request).packageId, request.query.player_id)),
  );
}

function registerProof(app: App, policy: AccessPolicy, { db }: PlayerManagementDeps): void {
  const data = Type.Object({
    holds: Type.Boolean({ description: 'The balance is what the movements come to.' }),
    balance: Type.Number(),
    opening: Type.Number({ description: 'Before the oldest movement that was added up.' }),
    change: Type.Number(),
    movements: Type.Integer(),
    broken: Type.Integer({ description: 'Movements whose balance does not follow.' }),
    complete: Type.Boolean({ description: 'Added up from the very first movement on.' }),
  });
  const summary = "Add up a player's movements and compare";
  const schema = { ...managed(policy, { summary, data }), params, querystring: byId };
  const onRequest = policy.authorizeFor({ role: 'member' });
  const inTurn = createTurns({ maxWaiting: 20 });
  app.get(`${policy.packagePath}/player/proof`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { currency } = await getManagedPackage(db, packageId);
    const account = await getAccount(db, packageId, request.query.player_id);
    const proof = await inTurn(() => proveBalance(db, { packageId, account }));
    if (!proof) throw fail('player_not_found');
    return answer(request, {
      holds: proof.holds,
      balance: toJsonNumber(proof.balance, currency),
      opening: toJsonNumber(proof.opening, currency),
      change: toJsonNumber(proof.sum, currency),
      movements: Number(proof.movements),
      broken: Number(proof.broken),
      complete: proof.reachedStart,
    });
  });
}

function registerCreate(app: App, policy: AccessPolicy, { db, now }: PlayerManagementDeps): void {
  const data = Type.Object({ player: Player, created: Type.Boolean() });
  const schema = {
    ...managed(policy, { summary: 'Create a player, such as one to test with', data }),
    params,
    body: Type.Object({
      player_id: PlayerId,
      name: Type.Optional(PrintableText({ max: 128 })),
    }),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.post(`${policy.packagePath}/players`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { player_id: playerId, name = '' } = request.body;
    const { currency, state } = await getManagedPackage(db, packageId);
    if (state === 'pending') throw fail('package_not_approved');
    if (state === 'suspended') throw fail('package_suspended');
    const at = now();
    const { player, created } = await createPlayer(db, { packageId, playerId, name }, at);
    if (created) {
      const target = { packageId, actor: getPrincipal(request).actor, at };
      const subject = { kind: 'player', id: playerId };
      await db.transaction((tx) =>
        recordPackageEvent(tx, target, { action: 'player_created', subject }),
      );
    }
    return answer(request, { player: presentPlayer(player, currency), created });
  });
}

function registerStatus(app: App, policy: AccessPolicy, deps: PlayerManagementDeps): void {
  const { db, now } = deps;
  const schema = {
    ...managed(policy, { summary: 'Block or unblock a player', data: WithPlayer }),
    params,
    body: Type.Object({ player_id: PlayerId, status: PlayerStatusAnswer }),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.post(`${policy.packagePath}/player/status`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { player_id: playerId, status } = request.body;
    const target = { packageId, actor: getPrincipal(request).actor, at: now() };
    const action = status === 'blocked' ? 'player_blocked' : 'player_unblocked';
    await setStatus(deps, { packageId, playerId, status }, (tx) =>
      recordPackageEvent(tx, target, { action, subject: { kind: 'player', id: playerId } }),
    );
    return answer(request, await present(db, packageId, playerId));
  });
}
