// A package's sessions, and for its members the games and a launch to try them with.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import {
  type AccessPolicy,
  getHome,
  getPrincipal,
  managed,
  PackageParams,
} from '../access-policy.ts';
import { fail } from '../errors.ts';
import { getManagedPackage } from '../packages/get-managed-package.ts';
import { recordPackageEvent } from '../packages/lock-package.ts';
import type { GetBalance } from '../players/get-balance.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { GameList } from './game.ts';
import { presentSession, SessionAnswer } from './game-session.ts';
import { GamesQuery, readGamesQuery } from './games-query.ts';
import { LaunchAnswer, presentLaunch } from './launch-answer.ts';
import { type LaunchDeps, launchGame } from './launch-game.ts';
import { LaunchBody, readLaunch } from './launch-order.ts';
import { listGames } from './list-games.ts';
import { listSessions } from './list-sessions.ts';
import { sendGames } from './send-games.ts';

const params = Type.Object(PackageParams);

export interface GameManagementDeps extends LaunchDeps {
  readonly getBalance: GetBalance;
}

export function registerGameManagement(
  app: App,
  policy: AccessPolicy,
  deps: GameManagementDeps,
): void {
  registerSessions(app, policy, deps);
  if (policy.isAdmin) return;
  registerGames(app, policy, deps);
  registerLaunch(app, policy, deps);
}

function registerSessions(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const data = Type.Object({ sessions: Type.Array(SessionAnswer), next_cursor: NextCursor });
  const schema = {
    ...managed(policy, { summary: "List players' sessions, newest first", data }),
    params,
    querystring: Type.Object(PageQuery),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/sessions`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const page = readPage(request.query, 'sessions');
    const sessions = await listSessions(deps.db, { packageId, ...page });
    const now = deps.now();
    return answer(request, {
      sessions: sessions.map((session) => presentSession(session, now)),
      ...presentNext(page, sessions, (session) => session.number),
    });
  });
}

function registerGames(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const schema = {
    ...managed(policy, { summary: 'List the games', data: GameList }),
    params,
    querystring: GamesQuery,
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/games`, { schema, onRequest }, async (request, reply) => {
    const filter = readGamesQuery(request.query);
    return sendGames(request, reply, listGames(await deps.catalogue.get(), filter));
  });
}

function registerLaunch(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const schema = {
    ...managed(policy, {
      summary: 'Launch a game to try it',
      data: LaunchAnswer,
      description: 'As `game/launch`, noted in the audit log. For money it takes an owner.',
    }),
    params,
    body: LaunchBody,
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.post(`${policy.packagePath}/launch`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { actor, leads } = getPrincipal(request);
    const found = await getManagedPackage(deps.db, packageId);
    if (found.state === 'pending') throw fail('package_not_approved');
    if (found.state === 'suspended') throw fail('package_suspended');
    const wanted = readLaunch(request.body, found);
    if (wanted.mode === 'real' && !leads) throw fail('forbidden');
    const launched = await launchGame(deps, found, wanted);
    const event = {
      action: 'game_launched',
      subject: { kind: 'game_session', id: launched.sessionId },
      details: { player_id: wanted.playerId, game_id: wanted.gameId, mode: wanted.mode },
    };
    const target = { packageId, actor, at: deps.now() };
    await deps.db.transaction((tx) => recordPackageEvent(tx, target, event));
    const { player } = await deps.getBalance(packageId, wanted.playerId);
    const { currency } = found;
    return answer(request, presentLaunch({ launched, wanted, balance: player.balance, currency }));
  });
}
