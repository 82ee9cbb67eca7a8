// Answers calls of a sandbox that name a test player or a test game.
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
    /** The test player that the call names; undefined for other players and for real packages. */
    testPlayer: string | undefined;
  }
}

const slowMs = 2000;
/**
 * The maximum number of slow answers at the same time, per sandbox (`each`) and in total (`all`). Each slow
 * answer occupies a connection.
 */
const maxSlow = { each: 20, all: 100 };
/** Routes that treat a test player like any other player. */
const plainRoutes = ['/api/v1/user/create', '/api/v1/user/status'];

const cause = new Error('a test player of a sandbox asks for this answer');
const tooMany = () =>
  fail('rate_limited', {
    headers: rateLimitHeaders({ policy: 'sandbox', max: 1, windowSeconds: 2, retryAfterSeconds: 2 }),
  });

/**
 * Registers the hooks that run before and after the calls of a sandbox. The calls themselves run unchanged,
 * because the ledger does not distinguish sandboxes from real packages. For a real package, the hooks only
 * check whether the package is a sandbox.
 */
export function playSandbox(
  app: App,
  deps: PrepareDeps & { readonly delay?: (ms: number) => Promise<unknown> },
): void {
  const { delay = sleep } = deps;
  app.decorateRequest('testPlayer', undefined);
  const slow = createPermits(maxSlow);
  const reserveSlowAnswer = (reply: FastifyReply, { id }: CustomerPackage) => {
    const free = slow.acquire(id);
    if (!free) throw tooMany();
    reply.raw.once('close', free);
  };
  const playCall = async (request: FastifyRequest, reply: FastifyReply, customerPackage: CustomerPackage) => {
    const call = readCall(request);
    if (isTestPlayer(call.player_id)) {
      if (call.player_id === testPlayers.slow) reserveSlowAnswer(reply, customerPackage);
      await play(deps, request, { customerPackage, call, playerId: call.player_id });
    }
    await playGame(deps, request, { customerPackage, call });
  };
  app.addHook('preHandler', (request, reply, done) => {
    const { customerPackage } = request;
    if (!customerPackage?.sandbox) done();
    else playCall(request, reply, customerPackage).then(() => done(), done);
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    const isLost = request.testPlayer === testPlayers.unknown && isFirstAnswer(payload);
    // The movement was applied, but this answer hides it. A repeat of the call gets the real answer.
    if (isLost) done(fail('outcome_unknown', { cause }));
    else done(null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.testPlayer !== testPlayers.slow) return done(null, payload);
    delay(Math.max(0, slowMs - reply.elapsedTime)).then(() => done(null, payload), done);
  });
}

/** The parameters that the sandbox uses. They come from the body or the query of a call. */
type Call = { readonly [Name in 'player_id' | 'game_id' | 'type' | 'action']?: unknown };

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
  // Unknown and blocked players are left to the operation itself, which refuses them.
  const standing = await deps.statuses.find(customerPackage.id, String(playerId));
  if (standing?.status === 'active') {
    throw isDown ? fail('upstream_unavailable', { cause }) : fail('game_unavailable');
  }
}

/** Whether an answer reports a movement for the first time. */
function isFirstAnswer(payload: unknown): boolean {
  if (typeof payload !== 'string') return false;
  const { data } = JSON.parse(payload) as { data?: { duplicate?: unknown; transaction_id?: unknown } };
  return data?.duplicate === false && typeof data.transaction_id === 'string';
}
