// user/create, user/balance (specification, section 4), user/list and user/status.
import { Answer, answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { RouterResponder } from '@counterfoil/kit/http/responder';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { getCredit } from '../ledger/queries.ts';
import { type Authenticate, callerOperation, getPackage } from '../packages/callers/authenticate.ts';
import { AnswerWithCredit, answerWithCredit } from '../packages/credit-alert.ts';
import { checkCurrency } from '../packages/customer-package.ts';
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

const tag = 'Players';
const config = { carriesCredit: true };

const CreateAnswer = AnswerWithCredit(
  named('CreatedPlayer', Type.Object({ ...PlayerAnswer, created: Type.Boolean() })),
);

function registerCreate(app: App, deps: PlayerRouteDeps): void {
  const operation = callerOperation(tag, 'Create a player', CreateAnswer);
  const schema = {
    ...operation,
    description: 'A repeat answers 200 with the existing player and changes nothing.',
    body: Type.Object({
      player_id: PlayerId,
      currency: Type.Optional(
        Type.Union([Type.String({ description: "The package's currency." }), Type.Null()]),
      ),
      name: Type.Optional(Type.Union([PrintableText({ max: 128 }), Type.Null()])),
      metadata: Type.Optional(Metadata),
    }),
    response: { ...operation.response, 201: CreateAnswer },
  };
  const onRequest = deps.authenticate({ whenSuspended: 'refused' });
  app.post('/api/v1/user/create', { schema, config, onRequest }, async (request, reply) => {
    const terms = getPackage(request);
    const { player_id: playerId, name, metadata } = request.body;
    checkCurrency(request.body, terms);
    checkMetadata(metadata);
    const { id: packageId } = terms;
    const wanted = { packageId, playerId, name: name ?? '', metadata: metadata ?? undefined };
    const { player, created } = await createPlayer(deps.db, wanted, deps.now());
    const credit = await getCredit(deps.db, packageId);
    reply.code(created ? 201 : 200);
    const data = { ...presentPlayer(player, terms), created };
    return answerWithCredit(request, data, { terms, credit });
  });
}

function registerBalance(app: App, deps: PlayerRouteDeps): void {
  const PlayerBalance = named(
    'PlayerBalance',
    Type.Object({
      player_id: Type.String(),
      balance: Type.Number(),
      currency: Type.String(),
      status: PlayerStatusAnswer,
      updated_at: Type.String({ format: 'date-time' }),
    }),
  );
  const schema = {
    ...callerOperation(tag, "Read a player's wallet balance", AnswerWithCredit(PlayerBalance)),
    querystring: Type.Object({ player_id: PlayerId }),
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/user/balance', { schema, config, onRequest }, (request, reply) => {
    const customerPackage = getPackage(request);
    const { player_id: playerId } = request.query;
    const responder = new RouterResponder(request, reply);
    answerBalance(deps, { customerPackage, playerId, responder });
  });
}

function registerList(app: App, deps: PlayerRouteDeps): void {
  const data = Type.Object({
    players: Type.Array(Player),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  });
  const schema = {
    ...callerOperation(tag, 'List players in the order of their ids', Answer(data)),
    querystring: Type.Object({
      search: Type.Optional(PrintableText({ max: 64, description: 'A prefix of the id.' })),
      limit: Limit,
      cursor: Cursor,
    }),
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/user/list', { schema, onRequest }, async (request) => {
    const owner = getPackage(request);
    const { id: packageId } = owner;
    const { search = '' } = request.query;
    const limit = parseLimit(request.query.limit);
    const after = parseCursor(request.query.cursor, 'players') ?? '';
    const page = await listPlayers(deps.db, { packageId, search, after, limit });
    return answer(request, {
      players: page.players.map((player) => presentPlayer(player, owner)),
      next_cursor: formatCursor('players', page.next),
    });
  });
}

function registerStatus(app: App, deps: PlayerRouteDeps): void {
  const data = Type.Object({ player_id: Type.String(), status: PlayerStatusAnswer });
  const schema = {
    ...callerOperation(tag, 'Block or unblock a player', Answer(data)),
    description: 'A block stops bets and launches, never wins, reads or your own update_balance.',
    body: Type.Object({ player_id: PlayerId, status: PlayerStatusAnswer }),
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.post('/api/v1/user/status', { schema, onRequest }, async (request) => {
    const { id: packageId } = getPackage(request);
    const { player_id: playerId, status } = request.body;
    await setStatus(deps, { packageId, playerId, status });
    return answer(request, { player_id: playerId, status });
  });
}
