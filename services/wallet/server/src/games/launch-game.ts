// Opens a session of a game for a player, and gets the launch URL from the source of the game.
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { Player } from '../players/player.ts';
import { findPlayer } from '../players/queries.ts';
import {
  type FailureReason,
  type LaunchAnswer,
  type LaunchOrder,
  type Upstream,
  UpstreamFailure,
} from '../upstream/upstream.ts';
import type { CatalogueCache } from './catalogue-cache.ts';
import { findGameSource } from './find-game.ts';
import { type LaunchSource, makeSessionId } from './game-session.ts';
import type { GameSource, GameSources } from './game-sources.ts';
import type { Launched, LaunchTerms, WantedLaunch } from './launch.ts';
import { insertSession, saveLaunch } from './store.ts';

export interface LaunchDeps {
  readonly db: Db;
  readonly upstream: Upstream;
  readonly catalogue: CatalogueCache;
  readonly sources: GameSources;
  readonly limits: LaunchLimits;
  readonly sessionMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** The session is committed before the provider is called, so that the provider's callbacks find it. */
export async function launchGame(
  deps: LaunchDeps,
  terms: LaunchTerms,
  wanted: WantedLaunch,
): Promise<Launched> {
  const startedAt = performance.now();
  const { accountId } = await getLaunchingPlayer(deps.db, terms, wanted);
  const { gameId, mode } = wanted;
  const connection = await findGameSource(deps, { packageId: terms.id, gameId, mode });
  const key = { packageId: terms.id, sessionId: makeSessionId() };
  const createdAt = deps.now();
  const expiresAt = new Date(createdAt.getTime() + deps.sessionMs);
  const connectionId = connection?.id;
  await insertSession(deps.db, { ...key, accountId, gameId, mode, createdAt, expiresAt, connectionId });
  const order = {
    ...wanted,
    uid: terms.uid,
    sessionId: key.sessionId,
    currency: terms.currency,
    decimals: terms.decimals,
    sessionExpiresAt: expiresAt,
  };
  const launcher = connection ? toLauncher(connection) : deps.upstream;
  const sharedLaunch = terms.sharedLaunch && !connection;
  const attempt = await askForLaunch({ ...deps, upstream: launcher }, order, { startedAt, sharedLaunch });
  const { answer, privateFailure } = attempt;
  const source = answer?.kind === 'launched' ? attempt.source : undefined;
  await saveLaunch(deps.db, key, { source, privateFailure, at: deps.now() });
  if (answer?.kind === 'refused') throw fail(answer.code);
  if (!answer || !source) throw fail('upstream_unavailable');
  const { sessionId } = key;
  const { launchUrl, expiresAt: launchUrlExpiresAt } = answer;
  return { launchUrl, launchUrlExpiresAt, sessionId, expiresAt, source };
}

async function getLaunchingPlayer(db: Db, terms: LaunchTerms, { playerId }: WantedLaunch): Promise<Player> {
  const player = await findPlayer(db, { packageId: terms.id, playerId });
  if (!player) throw fail('player_not_found');
  if (player.status === 'blocked') throw fail('player_blocked', { msg: 'The player is blocked' });
  return player;
}

type Launcher = Pick<Upstream, 'launch'>;

/**
 * Makes a launcher for a connection. A connection has no shared session. So the launcher ignores `_from`, the
 * choice between the private launch and the shared session.
 */
const toLauncher = (source: GameSource): Launcher => ({
  launch: (_from, order, timeoutMs) => source.launch(order, timeoutMs),
});

interface LaunchLimits {
  readonly privateLaunchMs: number;
  /**
   * The time limit for the private launch and the shared launch together, counted from the arrival of the
   * request.
   */
  readonly launchMs: number;
}

interface LaunchAttempt {
  /** The answer to the launch; undefined if no source answered. */
  readonly answer: LaunchAnswer | undefined;
  readonly source: LaunchSource | undefined;
  readonly privateFailure: FailureReason | undefined;
}

/**
 * A refusal of the private launch is final. The shared session is used only if the private launch is
 * unavailable.
 */
async function askForLaunch(
  deps: { upstream: Launcher; limits: LaunchLimits; logger: Logger },
  order: LaunchOrder,
  terms: { startedAt: number; sharedLaunch: boolean },
): Promise<LaunchAttempt> {
  const { upstream, limits, logger } = deps;
  const left = () => limits.launchMs - (performance.now() - terms.startedAt);

  const attempt = async (source: LaunchSource, timeoutMs: number) => {
    if (timeoutMs < 1) return 'timeout' as const;
    try {
      return await upstream.launch(source, order, Math.floor(timeoutMs));
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      const { reason } = error;
      logger.warn({ source, reason, sessionId: order.sessionId }, 'a launch failed');
      return reason;
    }
  };

  const first = await attempt('private', Math.min(limits.privateLaunchMs, left()));
  if (typeof first !== 'string') {
    return { answer: first, source: 'private', privateFailure: undefined };
  }
  const none = { answer: undefined, source: undefined, privateFailure: first };
  if (!terms.sharedLaunch) return none;
  const second = await attempt('shared', left());
  return typeof second === 'string' ? none : { ...none, answer: second, source: 'shared' };
}
