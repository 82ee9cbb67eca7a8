// game/list, game/launch (specification, section 4) and game/session/end.
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../packages/callers/authenticate.ts';
import { CreditAlert, PackageBalance, presentCredit } from '../packages/credit-alert.ts';
import type { GetBalance } from '../players/balance.ts';
import { errorAnswers } from '../wire/error-answers.ts';
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

const shared = { tags: ['Games'], security: packageSecurity, headers: AuthHeaders };
const success = Type.Literal('success');

function registerList(app: App, deps: GameRouteDeps): void {
  const schema = {
    ...shared,
    summary: 'List the games',
    description:
      'From the private API of the provider, else from its public catalogue, else the last good ' +
      'copy, marked `stale`. Send the `ETag` back in `If-None-Match`: 304 while no game changed.',
    querystring: GamesQuery,
    response: {
      200: Type.Object({ status: success, data: GameList, request_id: Type.String() }),
      304: Type.Null({ description: 'Nothing changed.' }),
      ...errorAnswers,
    },
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/game/list', { schema, onRequest }, async (request, reply) => {
    const filter = readGamesQuery(request.query);
    return sendGames(request, reply, listGames(await deps.catalogue.get(), filter));
  });
}

function registerLaunch(app: App, deps: GameRouteDeps): void {
  const schema = {
    ...shared,
    summary: 'Generate a launch URL for a game',
    description:
      'The private launch of the provider is tried first; its shared session only where the ' +
      'package switched that on, and only when the private launch is unavailable.',
    body: LaunchBody,
    response: {
      200: Type.Object({
        status: success,
        data: LaunchAnswer,
        package_balance: PackageBalance,
        credit_alert: CreditAlert,
        request_id: Type.String(),
      }),
      ...errorAnswers,
    },
  };
  const onRequest = deps.authenticate({ whenSuspended: 'refused' });
  const config = { carriesCredit: true };
  app.post('/api/v1/game/launch', { schema, config, onRequest }, async (request) => {
    const customerPackage = getPackage(request);
    const { id, currency } = customerPackage;
    const wanted = readLaunch(request.body, customerPackage);
    const launched = await launchGame(deps, customerPackage, wanted);
    const { player, credit } = await deps.getBalance(id, wanted.playerId);
    return {
      status: 'success' as const,
      data: presentLaunch({ launched, wanted, balance: player.balance, currency }),
      ...presentCredit(customerPackage, credit),
      request_id: request.id,
    };
  });
}

function registerSessionEnd(app: App, deps: GameRouteDeps): void {
  const schema = {
    ...shared,
    summary: "End a player's session",
    description:
      'Its bets are refused from now on; wins and rollbacks are not. A repeat changes nothing.',
    body: Type.Object({ session_id: PrintableText({ min: 1, max: 128 }) }),
    response: {
      200: Type.Object({ status: success, data: SessionAnswer, request_id: Type.String() }),
      ...errorAnswers,
    },
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.post('/api/v1/game/session/end', { schema, onRequest }, async (request) => {
    const { session_id: sessionId } = request.body;
    const at = deps.now();
    const session = await endSession(deps.db, {
      packageId: getPackage(request).id,
      sessionId,
      at,
    });
    return {
      status: 'success' as const,
      data: presentSession(session, at),
      request_id: request.id,
    };
  });
}
