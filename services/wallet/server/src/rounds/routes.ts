// GET /api/v1/round: the events of a round, from its first bet to its end.
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../packages/callers/authenticate.ts';
import type { AccountFinder } from '../players/find-account.ts';
import { PlayerId } from '../players/player.ts';
import { nameAccounts } from '../players/queries.ts';
import { errorAnswers } from '../wire/error-answers.ts';
import { getRound } from './queries.ts';
import { presentRound, RoundAnswer } from './round.ts';

export const RoundId = PrintableText({ min: 1, max: 128, description: "The provider's round_id." });

export const roundDescription =
  'Several players may share a round_id; without `player_id` all of them are shown, their ' +
  'events in one order. Every event that named the round is there, and those that named none ' +
  'but rolled back or settled a bet of it.';

export function registerRoundRoutes(
  app: App,
  deps: { db: Db; authenticate: Authenticate; accounts: AccountFinder },
): void {
  app.get(
    '/api/v1/round',
    {
      schema: {
        tags: ['Callbacks'],
        summary: 'What happened in a round?',
        description: roundDescription,
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({ round_id: RoundId, player_id: Type.Optional(PlayerId) }),
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: RoundAnswer,
            request_id: Type.String(),
          }),
          ...errorAnswers,
        },
      },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    async (request) => {
      const { id: packageId, currency } = getPackage(request);
      const { round_id: roundId, player_id: playerId } = request.query;
      const account =
        playerId === undefined ? undefined : await deps.accounts.find(packageId, playerId);
      if (playerId !== undefined && account === undefined) throw fail('player_not_found');
      const round = await getRound(deps.db, { packageId, roundId, account });
      const accounts = round.parts.map((part) => part.account);
      const players = await nameAccounts(deps.db, packageId, accounts);
      return {
        status: 'success' as const,
        data: presentRound(round, players, currency),
        request_id: request.id,
      };
    },
  );
}
