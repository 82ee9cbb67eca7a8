// user/create, user/balance (specification, section 4), user/list and user/status.
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { RouterResponder } from '@counterfoil/kit/http/responder';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { getCredit } from '../ledger/queries.ts';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../packages/callers/authenticate.ts';
import { CreditAlert, PackageBalance, presentCredit } from '../packages/credit-alert.ts';
import { errorAnswers } from '../wire/error-answers.ts';
import { Cursor, formatCursor, Limit, parseCursor, parseLimit } from '../wire/paging.ts';
import { answerBalance, type BalanceDeps } from './balance.ts';
import { createPlayer } from './create-player.ts';
import type { StatusFinder } from './find-status.ts';
import {
  checkMetadata,
  Metadata,
  Player,
  PlayerAnswer,
  PlayerId,
  PlayerStatusAnswer,
  presentPlayer,
} from './player.ts';
import { listPlayers } from './queries.ts';
import { setStatus } from './set-status.ts';

export interface PlayerRouteDeps extends BalanceDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  readonly now: () => Date;
  readonly statuses: StatusFinder;
}

export function registerPlayerRoutes(app: App, deps: PlayerRouteDeps): void {
  registerCreate(app, deps);
  registerBalance(app, deps);
  registerList(app, deps);
  registerStatus(app, deps);
}

const withCredit = { package_balance: PackageBalance, credit_alert: CreditAlert };

const CreateAnswer = Type.Object({
  status: Type.Literal('success'),
  data: named('CreatedPlayer', Type.Object({ ...PlayerAnswer, created: Type.Boolean() })),
  ...withCredit,
  request_id: Type.String(),
});

function registerCreate(app: App, deps: PlayerRouteDeps): void {
  app.post(
    '/api/v1/user/create',
    {
      schema: {
        tags: ['Players'],
        summary: 'Create a player',
        description: 'A repeat answers 200 with the record as it stands and changes nothing.',
        security: packageSecurity,
        headers: AuthHeaders,
        body: Type.Object({
          player_id: PlayerId,
          currency: Type.Optional(
            Type.Union([Type.String({ description: "The package's, or left out." }), Type.Null()]),
          ),
          name: Type.Optional(Type.Union([PrintableText({ max: 128 }), Type.Null()])),
          metadata: Type.Optional(Metadata),
        }),
        response: { 200: CreateAnswer, 201: CreateAnswer, ...errorAnswers },
      },
      config: { carriesCredit: true },
      onRequest: deps.authenticate({ whenSuspended: 'refused' }),
    },
    async (request, reply) => {
      const customerPackage = getPackage(request);
      const { id: packageId, currency } = customerPackage;
      const { player_id: playerId, name, metadata } = request.body;
      const wantedCurrency = request.body.currency ?? currency;
      if (wantedCurrency !== currency) {
        const sentence = `must be ${currency}, the package's currency.`;
        throw fail('currency_mismatch', { errors: { currency: [sentence] } });
      }
      checkMetadata(metadata);
      const wanted = { packageId, playerId, name: name ?? '', metadata: metadata ?? undefined };
      const { player, created } = await createPlayer(deps.db, wanted, deps.now());
      const credit = await getCredit(deps.db, packageId);
      reply.code(created ? 201 : 200);
      return {
        status: 'success' as const,
        data: { ...presentPlayer(player, currency), created },
        ...presentCredit(customerPackage, credit),
        request_id: request.id,
      };
    },
  );
}

function registerBalance(app: App, deps: PlayerRouteDeps): void {
  app.get(
    '/api/v1/user/balance',
    {
      schema: {
        tags: ['Players'],
        summary: "Read a player's wallet balance",
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({ player_id: PlayerId }),
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: named(
              'PlayerBalance',
              Type.Object({
                player_id: Type.String(),
                balance: Type.Number(),
                currency: Type.String(),
                status: PlayerStatusAnswer,
                updated_at: Type.String({ format: 'date-time' }),
              }),
            ),
            ...withCredit,
            request_id: Type.String(),
          }),
          ...errorAnswers,
        },
      },
      config: { carriesCredit: true },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    (request, reply) => {
      const customerPackage = getPackage(request);
      const { player_id: playerId } = request.query;
      const responder = new RouterResponder(request, reply);
      answerBalance(deps, { customerPackage, playerId, responder });
    },
  );
}

function registerList(app: App, deps: PlayerRouteDeps): void {
  app.get(
    '/api/v1/user/list',
    {
      schema: {
        tags: ['Players'],
        summary: 'List players in the order of their ids',
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({
          search: Type.Optional(PrintableText({ max: 64, description: 'How the id begins.' })),
          limit: Limit,
          cursor: Cursor,
        }),
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: Type.Object({
              players: Type.Array(Player),
              next_cursor: Type.Union([Type.String(), Type.Null()]),
            }),
            request_id: Type.String(),
          }),
          ...errorAnswers,
        },
      },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    async (request) => {
      const { id: packageId, currency } = getPackage(request);
      const { search = '' } = request.query;
      const limit = parseLimit(request.query.limit);
      const after = parseCursor(request.query.cursor, 'players') ?? '';
      const page = await listPlayers(deps.db, { packageId, search, after, limit });
      return {
        status: 'success' as const,
        data: {
          players: page.players.map((player) => presentPlayer(player, currency)),
          next_cursor: formatCursor('players', page.next),
        },
        request_id: request.id,
      };
    },
  );
}

function registerStatus(app: App, deps: PlayerRouteDeps): void {
  app.post(
    '/api/v1/user/status',
    {
      schema: {
        tags: ['Players'],
        summary: 'Block or unblock a player',
        description:
          'A block stops bets and launches, never wins, reads or your own update_balance.',
        security: packageSecurity,
        headers: AuthHeaders,
        body: Type.Object({ player_id: PlayerId, status: PlayerStatusAnswer }),
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: Type.Object({ player_id: Type.String(), status: PlayerStatusAnswer }),
            request_id: Type.String(),
          }),
          ...errorAnswers,
        },
      },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    async (request) => {
      const { id: packageId } = getPackage(request);
      const { player_id: playerId, status } = request.body;
      await setStatus(deps, { packageId, playerId, status });
      return {
        status: 'success' as const,
        data: { player_id: playerId, status },
        request_id: request.id,
      };
    },
  );
}
