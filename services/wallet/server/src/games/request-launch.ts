// Asks for a launch by the specification's rule 5: private, and the shared session in its place.
import type { Logger } from '@counterfoil/kit/observability/logging';
import {
  type FailureReason,
  type LaunchAnswer,
  type LaunchOrder,
  type Upstream,
  UpstreamFailure,
} from '../upstream/upstream.ts';
import type { LaunchSource } from './game-session.ts';

export interface LaunchLimits {
  readonly privateLaunchMs: number;
  /** For both together, counted from the call's arrival. */
  readonly launchMs: number;
}

export interface LaunchAttempt {
  /** Undefined where no source could be used. */
  readonly answer: LaunchAnswer | undefined;
  readonly source: LaunchSource | undefined;
  readonly privateFailure: FailureReason | undefined;
}

/** A no of the private launch is final: the shared session is for when it cannot be had at all. */
export async function askForLaunch(
  deps: { upstream: Upstream; limits: LaunchLimits; logger: Logger },
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
