// GET /api/v1/round: the events of a round, from its first bet to its end.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { ConnectionId } from '../connections/connection.ts';
import { fail } from '../errors.ts';
import { type Authenticate, callerRead, getPackage } from '../packages/callers/authenticate.ts';
import type { AccountFinder } from '../players/find-account.ts';
import { PlayerId } from '../players/player.ts';
import { getRound } from './queries.ts';
import { presentRound, RoundAnswer } from './round.ts';

export const RoundQuery = Type.Object({
  round_id: PrintableText({ min: 1, max: 128, description: "The provider's round_id." }),
  player_id: Type.Optional(PlayerId),
  connection_id: Type.Optional(ConnectionId),
});

export const roundDescription =
  'Several players may share a round_id. Without `player_id` the answer contains all of them, with ' +
  'their events in one order. It lists every event that named the round, and every event that named ' +
  'no round but rolled back or settled a bet of it. Provider connections may use the same round_id for ' +
  'different rounds; `connection_id` leaves out the others.';

export function registerRoundRoutes(
  app: App,
  deps: { db: Db; authenticate: Authenticate; accounts: AccountFinder },
): void {
  const schema = {
    ...callerRead({
      tag: 'Callbacks',
      summary: 'Read the events of a round',
      description: roundDescription,
      data: RoundAnswer,
    }),
    querystring: RoundQuery,
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/round', { schema, onRequest }, async (request) => {
    const owner = getPackage(request);
    const { id: packageId } = owner;
    const { round_id: roundId, player_id: playerId, connection_id: connectionId } = request.query;
    const account = playerId === undefined ? undefined : await deps.accounts.find(packageId, playerId);
    if (playerId !== undefined && account === undefined) throw fail('player_not_found');
    const round = await getRound(deps.db, { packageId, roundId, connectionId, account });
    return answer(request, presentRound(round, owner));
  });
}
