// game/list, game/launch (specification, section 4) and game/session/end.
import { Answer, answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type Authenticate, callerOperation, getPackage } from '../packages/callers/authenticate.ts';
import { AnswerWithCredit, answerWithCredit } from '../packages/credit-alert.ts';
import type { GetBalance } from '../players/balance.ts';
import { GameList, GamesQuery, readGamesQuery } from './game.ts';
import { endSession, presentSession, SessionAnswer } from './game-session.ts';
import { LaunchAnswer, LaunchBody, presentLaunch, readLaunch } from './launch.ts';
import { type LaunchDeps, launchGame } from './launch-game.ts';
import { listGames, sendGames } from './list-games.ts';

export interface GameRouteDeps extends LaunchDeps {
  readonly authenticate: Authenticate;
  readonly getBalance: GetBalance;
}

export function registerGameRoutes(app: App, deps: GameRouteDeps): void {
  registerList(app, deps);
  registerLaunch(app, deps);
  registerSessionEnd(app, deps);
}

const tag = 'Games';

function registerList(app: App, deps: GameRouteDeps): void {
  const operation = callerOperation(tag, 'List the games', Answer(GameList));
  const schema = {
    ...operation,
    description:
      'The list comes from the private API of the provider, else from its public catalogue, else ' +
      'from the last good copy, marked `stale`. It also contains the games of provider connections that ' +
      'have an upstream address; a connection that does not answer is marked in `sources`. Send the ' +
      '`ETag` back in `If-None-Match` to get 304 while no game has changed.',
    querystring: GamesQuery,
    response: { ...operation.response, 304: Type.Null({ description: 'Nothing changed.' }) },
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/game/list', { schema, onRequest }, async (request, reply) => {
    const filter = readGamesQuery(request.query);
    return sendGames(request, reply, listGames(await deps.sources.getList(getPackage(request).id), filter));
  });
}

function registerLaunch(app: App, deps: GameRouteDeps): void {
  const summary = 'Generate a launch URL for a game';
  const schema = {
    ...callerOperation(tag, summary, AnswerWithCredit(LaunchAnswer)),
    description:
      'A game of a provider connection is launched by that connection. For all other games, ' +
      "the provider's private launch is tried first. Its shared session is used only if the " +
      'private launch is unavailable and `shared_launch` of the package is true.',
    body: LaunchBody,
  };
  const onRequest = deps.authenticate({ whenSuspended: 'refused' });
  const config = { carriesCredit: true };
  app.post('/api/v1/game/launch', { schema, config, onRequest }, async (request) => {
    const terms = getPackage(request);
    const wanted = readLaunch(request.body, terms);
    const launched = await launchGame(deps, terms, wanted);
    const { player, credit } = await deps.getBalance(terms.id, wanted.playerId);
    const { balance } = player;
    const data = presentLaunch(launched, wanted, { balance, unit: terms });
    return answerWithCredit(request, data, { terms, credit });
  });
}

function registerSessionEnd(app: App, deps: GameRouteDeps): void {
  const schema = {
    ...callerOperation(tag, "End a player's session", Answer(SessionAnswer)),
    description:
      'Bets of the session are refused from now on; wins and rollbacks are not. A repeat changes nothing.',
    body: Type.Object({ session_id: PrintableText({ min: 1, max: 128 }) }),
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.post('/api/v1/game/session/end', { schema, onRequest }, async (request) => {
    const { session_id: sessionId } = request.body;
    const at = deps.now();
    const wanted = { packageId: getPackage(request).id, sessionId, at };
    return answer(request, presentSession(await endSession(deps.db, wanted), at));
  });
}
