// What happens to calls of a sandbox twin that name a test player or a test game.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPermits } from '@counterfoil/kit/concurrency/permits';
import type { App } from '@counterfoil/kit/http/app';
import { rateLimitHeaders } from '@counterfoil/kit/http/throttle';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesMoney } from '../callbacks/callback.ts';
import { fail } from '../errors.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import { type PrepareDeps, prepareTestPlayer } from './prepare-test-player.ts';
import { isTestPlayer, testGames, testPlayers } from './test-ids.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a call of a twin that names one, once it is to be played. */
    testPlayer: string | undefined;
  }
}

const slowMs = 2000;
/** Each holds a connection; one twin must not hold those of all. */
const maxSlow = { each: 20, all: 100 };
/** Makes a player, or says how one is: that works with every player. */
const plainRoutes = ['/api/v1/user/create', '/api/v1/user/status'];

const cause = new Error('a sandbox was asked for this answer');
const tooMany = () =>
  fail('rate_limited', {
    headers: rateLimitHeaders({
      policy: 'sandbox',
      max: 1,
      windowSeconds: 2,
      retryAfterSeconds: 2,
    }),
  });

/**
 * Before or after the real call, never in it: the ledger knows nothing of sandboxes. A real
 * package's request is asked one thing, whether it is a twin's.
 */
export function playSandbox(
  app: App,
  deps: PrepareDeps & { readonly hold?: (ms: number) => Promise<unknown> },
): void {
  const { hold = sleep } = deps;
  app.decorateRequest('testPlayer', undefined);
  const slow = createPermits(maxSlow);
  const takeTime = (reply: FastifyReply, { id }: CustomerPackage) => {
    const free = slow.acquire(id);
    if (!free) throw tooMany();
    reply.raw.once('close', free);
  };
  const playCall = async (
    request: FastifyRequest,
    reply: FastifyReply,
    customerPackage: CustomerPackage,
  ) => {
    const call = readCall(request);
    if (isTestPlayer(call.player_id)) {
      if (call.player_id === testPlayers.slow) takeTime(reply, customerPackage);
      await play(deps, request, { customerPackage, call, playerId: call.player_id });
    }
    await playGame(deps, request, { customerPackage, call });
  };
  app.addHook('preHandler', (request, reply, done) => {
    const { customerPackage } = request;
    if (!customerPackage?.sandbox) done();
    else playCall(request, reply, customerPackage).then(() => done(), done);
  });
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const isLost = request.testPlayer === testPlayers.unknown && isFirstAnswer(payload);
    // The movement stands, the caller does not hear of it; whoever sends the same again does.
    if (isLost && request.callback) request.callback.balance = undefined;
    if (isLost) done(fail('outcome_unknown', { cause }));
    else done(null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.testPlayer !== testPlayers.slow) return done(null, payload);
    hold(Math.max(0, slowMs - reply.elapsedTime)).then(() => done(null, payload), done);
  });
}

/** The parameters that matter here, from wherever the operation takes them. */
interface Call {
  readonly player_id?: unknown;
  readonly game_id?: unknown;
  readonly type?: unknown;
  readonly action?: unknown;
}

const readCall = ({ body, query }: FastifyRequest): Call => (body ?? query ?? {}) as Call;

async function play(
  deps: PrepareDeps,
  request: FastifyRequest,
  given: { customerPackage: CustomerPackage; call: Call; playerId: string },
): Promise<void> {
  if (plainRoutes.includes(request.routeOptions.url ?? '')) return;
  const { call, playerId } = given;
  if (playerId === testPlayers.rateLimited) throw tooMany();
  if (playerId === testPlayers.unavailable) throw fail('unavailable', { cause });
  request.testPlayer = playerId;
  await prepareTestPlayer(deps, {
    package: given.customerPackage,
    playerId,
    takes: call.type === 'debit' || takesMoney(call.action),
    gives: call.type === 'credit' || call.action === 'win',
  });
}

async function playGame(
  deps: PrepareDeps,
  request: FastifyRequest,
  { customerPackage, call }: { customerPackage: CustomerPackage; call: Call },
): Promise<void> {
  if (request.routeOptions.url !== '/api/v1/game/launch') return;
  const { player_id: playerId, game_id: gameId } = call;
  const isDown = gameId === testGames.providerDown;
  if (!isDown && gameId !== testGames.unavailable) return;
  // Who is nobody, or blocked, hears that from the operation itself.
  const status = await deps.statuses.find(customerPackage.id, String(playerId));
  if (status === 'active') {
    throw isDown ? fail('upstream_unavailable', { cause }) : fail('game_unavailable');
  }
}

function isFirstAnswer(payload: unknown): boolean {
  const { data } = (payload ?? {}) as { data?: { duplicate?: unknown; transaction_id?: unknown } };
  return data?.duplicate === false && typeof data.transaction_id === 'string';
}
