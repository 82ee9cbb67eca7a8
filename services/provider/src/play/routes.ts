// The page of a game at its one-time address, and the requests that the page makes.
import type { App } from '@counterfoil/kit/http/app';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { PlaySession, PlaySessions } from '../launches/play-session.ts';
import { pageHeaders, renderGamePage, renderSpentPage } from './page.ts';
import type { RealPlayDeps } from './play-real-round.ts';
import { playRound } from './play-round.ts';
import { presentState } from './present-state.ts';
import { SpinBody } from './round.ts';
import { makeBalanceRead } from './round-calls.ts';

export interface PlayRouteDeps extends RealPlayDeps {
  readonly sessions: PlaySessions;
  /** Whether the site is served by https, so that the cookie can be `Secure`. */
  readonly isSecure: boolean;
}

const params = Type.Object({ token: Type.String({ maxLength: 64 }) });

export function registerPlayRoutes(app: App, deps: PlayRouteDeps): void {
  app.get('/play/:token', { schema: { params } }, async (request, reply) => {
    const session = findSession(deps, request) ?? openSession(deps, request, reply);
    reply.headers(pageHeaders).type('text/html; charset=utf-8');
    return session ? reply.send(renderGamePage(session.launch)) : reply.code(410).send(renderSpentPage());
  });
  app.get('/play/:token/api/state', { schema: { params } }, async (request) => {
    const session = getSession(deps, request);
    return presentState(session, await findBalance(deps, session));
  });
  app.post('/play/:token/api/spin', { schema: { params, body: SpinBody } }, async (request) => {
    const session = getSession(deps, request);
    const { round, bet_minor: bet, field = null } = request.body;
    return playRound(deps, session, { number: round, betMinor: BigInt(bet), field });
  });
}

const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;

/** The cookie is bound to the path of the game, so that two games in one browser stay separate. */
function findSession(deps: PlayRouteDeps, request: FastifyRequest): PlaySession | undefined {
  const cookie = /(?:^|;\s*)play=([\w-]{32})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1];
  return deps.sessions.find(tokenOf(request), cookie);
}

function getSession(deps: PlayRouteDeps, request: FastifyRequest): PlaySession {
  const session = findSession(deps, request);
  if (!session) throw fail('session_ended');
  return session;
}

/** HEAD requests and prefetches do not use up the one-time address. */
function openSession(
  deps: PlayRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): PlaySession | undefined {
  const purpose = `${request.headers['sec-purpose'] ?? ''}${request.headers.purpose ?? ''}`;
  if (request.method === 'HEAD' || purpose.includes('prefetch')) throw fail('unavailable');
  const token = tokenOf(request);
  const opened = deps.sessions.open(token);
  if (!opened) return undefined;
  // If the game is in a frame of another site, browsers send only cookies with `SameSite=None`, which need
  // https. With this cookie, other sites still cannot change anything: every change needs a JSON body, and
  // browsers do not let other sites send JSON.
  const site = deps.isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
  reply.header('set-cookie', `play=${opened.cookie}; Path=/play/${token}; HttpOnly; ${site}`);
  return opened.session;
}

async function findBalance(deps: PlayRouteDeps, session: PlaySession): Promise<number | null> {
  const { launch } = session;
  if (launch.mode === 'demo') return toJsonNumber(session.demoBalanceMinor, launch);
  const verdict = await deps.send(makeBalanceRead(launch, deps.connections.findChosen(launch.uid)), 1);
  return verdict.kind === 'unknown' ? null : verdict.answer.balance;
}
