// Lists the game sessions and game sources of a package. Members also list games and launch a game as a test.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, getPrincipal, packageRoute } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { refuseByState } from '../packages/callers/authenticate.ts';
import { recordPackageEvent, targetOf } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import type { GetBalance } from '../players/balance.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { GameList, GamesQuery, readGamesQuery } from './game.ts';
import { presentSession, SessionAnswer } from './game-session.ts';
import { LaunchAnswer, LaunchBody, presentLaunch, readLaunch } from './launch.ts';
import { type LaunchDeps, launchGame } from './launch-game.ts';
import { listGames, sendGames } from './list-games.ts';
import { listConnectionCopies, listSessions } from './queries.ts';
import { GameSourceAnswer, presentSource } from './source-health.ts';

export interface GameManagementDeps extends LaunchDeps {
  readonly getBalance: GetBalance;
}

export function registerGameManagement(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  registerSessions(app, policy, deps);
  registerSources(app, policy, deps);
  if (policy.isAdmin) return;
  registerGames(app, policy, deps);
  registerLaunch(app, policy, deps);
}

function registerSessions(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const data = Type.Object({ sessions: Type.Array(SessionAnswer), next_cursor: NextCursor });
  const summary = "List players' sessions, newest first";
  const querystring = Type.Object(PageQuery);
  const route = packageRoute(policy, { role: 'member', summary, data }, { querystring });
  app.get(`${policy.packagePath}/sessions`, route, async (request) => {
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

function registerSources(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const data = Type.Object({
    sources: Type.Array(GameSourceAnswer, { description: 'The oldest connection first.' }),
  });
  const summary = 'List the provider connections that list games, with their health';
  const route = packageRoute(policy, { role: 'member', summary, data });
  app.get(`${policy.packagePath}/game-sources`, route, async (request) => {
    const { packageId } = getHome(request);
    const sources = await deps.sources.list(packageId);
    const copies = sources.length > 0 ? await listConnectionCopies(deps.db, packageId) : [];
    return answer(request, { sources: sources.map((source) => presentSource(source, copies)) });
  });
}

function registerGames(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const shown = { role: 'member', summary: 'List the games', data: GameList } as const;
  const route = packageRoute(policy, shown, { querystring: GamesQuery });
  app.get(`${policy.packagePath}/games`, route, async (request, reply) => {
    const filter = readGamesQuery(request.query);
    const listed = await deps.sources.getList(getHome(request).packageId);
    return sendGames(request, reply, listGames(listed, filter));
  });
}

function registerLaunch(app: App, policy: AccessPolicy, deps: GameManagementDeps): void {
  const shown = {
    role: 'member',
    summary: 'Launch a game to try it',
    data: LaunchAnswer,
    description: 'Like `game/launch`, with an entry in the audit log. Only owners may launch in `real` mode.',
  } as const;
  const route = packageRoute(policy, shown, { body: LaunchBody });
  app.post(`${policy.packagePath}/launch`, route, async (request) => {
    const { packageId } = getHome(request);
    const found = await getManagedPackage(deps.db, packageId);
    refuseByState(found, { whenSuspended: 'refused' });
    const wanted = readLaunch(request.body, found);
    if (wanted.mode === 'real' && !getPrincipal(request).leads) throw fail('forbidden');
    const launched = await launchGame(deps, found, wanted);
    const event = {
      action: 'game_launched',
      subject: { kind: 'game_session', id: launched.sessionId },
      details: { player_id: wanted.playerId, game_id: wanted.gameId, mode: wanted.mode },
    };
    await deps.db.transaction((tx) => recordPackageEvent(tx, targetOf(deps, request), event));
    const { balance } = (await deps.getBalance(packageId, wanted.playerId)).player;
    return answer(request, presentLaunch(launched, wanted, { balance, unit: found }));
  });
}
