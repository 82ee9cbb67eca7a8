// Management routes: list, read, create and block players, and check a balance against the journal.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { proveBalance } from '../ledger/queries.ts';
import { refuseByState } from '../packages/callers/authenticate.ts';
import { type ManagementDeps, targetOf } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { AmountOrNull } from '../wire/amount.ts';
import { formatCursor, NextCursor, PageQuery, parseCursor, parseLimit } from '../wire/paging.ts';
import { createManagedPlayer, setManagedStatus, setMaxStake } from './manage-player.ts';
import {
  Player,
  PlayerDetails,
  PlayerId,
  PlayerStatusAnswer,
  presentPlayer,
  presentPlayerDetails,
} from './player.ts';
import { findPlayerDetails, getAccount, listPlayers } from './queries.ts';
import { searchPlayers } from './search-players.ts';
import type { SetStatusDeps } from './set-status.ts';

type PlayerManagementDeps = SetStatusDeps & Pick<ManagementDeps, 'now'>;

const WithPlayer = Type.Object({ player: PlayerDetails });
const byId = Type.Object({ player_id: PlayerId });

const searchText =
  'Part of the id or name, in any letter case. Players whose id begins with it come first, then ' +
  'players whose name begins with it, then the others. A page searches 5,000 players for the ' +
  'others, so it may be short and still have a `next_cursor`.';

export function registerPlayerManagement(app: App, policy: AccessPolicy, deps: PlayerManagementDeps): void {
  registerList(app, policy, deps);
  registerOne(app, policy, deps);
  registerProof(app, policy, deps);
  registerCreate(app, policy, deps);
  registerStatus(app, policy, deps);
  registerMaxStake(app, policy, deps);
}

function registerList(app: App, policy: AccessPolicy, { db }: PlayerManagementDeps): void {
  const data = Type.Object({ players: Type.Array(Player), next_cursor: NextCursor });
  const summary = 'List players in the order of their ids, or search them';
  const querystring = Type.Object({
    ...PageQuery,
    search: Type.Optional(PrintableText({ max: 64, description: searchText })),
  });
  const route = packageRoute(policy, { role: 'member', summary, data }, { querystring });
  app.get(`${policy.packagePath}/players`, route, async (request) => {
    const { packageId } = getHome(request);
    const { search = '' } = request.query;
    const limit = parseLimit(request.query.limit);
    const list = search === '' ? 'players' : 'found_players';
    const after = parseCursor(request.query.cursor, list) ?? '';
    const owner = await getManagedPackage(db, packageId);
    const wanted = { packageId, search, after, limit };
    const page = await (search === '' ? listPlayers : searchPlayers)(db, wanted);
    return answer(request, {
      players: page.players.map((player) => presentPlayer(player, owner)),
      next_cursor: formatCursor(list, page.next),
    });
  });
}

const present = async (db: Db, packageId: number, playerId: string) => {
  const owner = await getManagedPackage(db, packageId);
  const player = await findPlayerDetails(db, { packageId, playerId });
  if (!player) throw fail('player_not_found');
  return { player: presentPlayerDetails(player, owner) };
};

function registerOne(app: App, policy: AccessPolicy, { db }: PlayerManagementDeps): void {
  const shown = { role: 'member', summary: 'Read a player', data: WithPlayer } as const;
  const route = packageRoute(policy, shown, { querystring: byId });
  app.get(`${policy.packagePath}/player`, route, async (request) =>
    answer(request, await present(db, getHome(request).packageId, request.query.player_id)),
  );
}

function registerProof(app: App, policy: AccessPolicy, { db }: PlayerManagementDeps): void {
  const data = Type.Object({
    holds: Type.Boolean({ description: 'Whether the movements add up to the stored balance.' }),
    balance: Type.Number(),
    opening: Type.Number({ description: 'The balance before the oldest movement in the sum.' }),
    change: Type.Number(),
    movements: Type.Integer(),
    broken: Type.Integer({
      description: 'The number of movements whose balance does not follow from the previous balance.',
    }),
    complete: Type.Boolean({ description: 'Whether the sum starts at the first movement.' }),
  });
  const summary = "Add up a player's movements and compare";
  const route = packageRoute(policy, { role: 'member', summary, data }, { querystring: byId });
  const enqueue = createSerialQueue({ maxWaiting: 20 });
  app.get(`${policy.packagePath}/player/proof`, route, async (request) => {
    const { packageId } = getHome(request);
    const owner = await getManagedPackage(db, packageId);
    const account = await getAccount(db, packageId, request.query.player_id);
    const proof = await enqueue(() => proveBalance(db, { packageId, account }));
    if (!proof) throw fail('player_not_found');
    return answer(request, {
      holds: proof.holds,
      balance: toJsonNumber(proof.balance, owner),
      opening: toJsonNumber(proof.opening, owner),
      change: toJsonNumber(proof.sum, owner),
      movements: Number(proof.movements),
      broken: Number(proof.broken),
      complete: proof.reachedStart,
    });
  });
}

function registerCreate(app: App, policy: AccessPolicy, deps: PlayerManagementDeps): void {
  const data = Type.Object({ player: Player, created: Type.Boolean() });
  const body = Type.Object({ player_id: PlayerId, name: Type.Optional(PrintableText({ max: 128 })) });
  const summary = 'Create a player, for example for tests';
  const route = packageRoute(policy, { role: 'member', summary, data }, { body });
  app.post(`${policy.packagePath}/players`, route, async (request) => {
    const { player_id: playerId, name = '' } = request.body;
    const managed = await getManagedPackage(deps.db, getHome(request).packageId);
    refuseByState(managed, { whenSuspended: 'refused' });
    const wanted = { playerId, name };
    const target = targetOf(deps, request);
    const { player, created } = await createManagedPlayer(deps.db, target, wanted);
    return answer(request, { player: presentPlayer(player, managed), created });
  });
}

function registerStatus(app: App, policy: AccessPolicy, deps: PlayerManagementDeps): void {
  const body = Type.Object({ player_id: PlayerId, status: PlayerStatusAnswer });
  const summary = 'Block or unblock a player';
  const route = packageRoute(policy, { role: 'member', summary, data: WithPlayer }, { body });
  app.post(`${policy.packagePath}/player/status`, route, async (request) => {
    const { player_id: playerId, status } = request.body;
    const target = targetOf(deps, request);
    await setManagedStatus(deps, target, { playerId, status });
    return answer(request, await present(deps.db, target.packageId, playerId));
  });
}

function registerMaxStake(app: App, policy: AccessPolicy, deps: PlayerManagementDeps): void {
  const body = Type.Object({ player_id: PlayerId, max_stake: AmountOrNull });
  const summary = "Limit a player's bets";
  const route = packageRoute(policy, { role: 'member', summary, data: WithPlayer }, { body });
  app.post(`${policy.packagePath}/player/max-stake`, route, async (request) => {
    const { player_id: playerId, max_stake: sent } = request.body;
    const target = targetOf(deps, request);
    await setMaxStake(deps, target, { playerId, sent });
    return answer(request, await present(deps.db, target.packageId, playerId));
  });
}
