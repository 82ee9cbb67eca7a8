// Registers packages at the upstream in the background; all processes share the work.

import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { type Upstream, UpstreamFailure } from '../../upstream/upstream.ts';
import { findCallbackAccess } from '../credentials/callback-access.ts';
import {
  claimMs,
  claimRegistration,
  requestAllRegistrations,
  saveDone,
  saveFailed,
} from '../registration-store.ts';
import { listDueRegistrations } from './queries.ts';

const atATime = 4;

const maxDue = 100;

const longestPauseMs = 300_000;

interface RegistrarDeps {
  readonly db: Db;
  readonly upstream: Upstream;
  readonly masterKey: MasterKey;
  readonly callbackUrl: string;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Registers each package that is due now, with one attempt per package. */
export async function registerPackages(deps: RegistrarDeps): Promise<void> {
  const due = await listDueRegistrations(deps.db, { at: deps.now(), limit: maxDue });
  const work = async (): Promise<void> => {
    for (let id = due.shift(); id !== undefined; id = due.shift()) await register(deps, id);
  };
  await Promise.all(Array.from({ length: atATime }, work));
}

async function register(deps: RegistrarDeps, packageId: number): Promise<void> {
  const { db, logger, now } = deps;
  const at = now();
  const until = new Date(at.getTime() + claimMs);
  const claimed = await claimRegistration(db, { packageId, at, until });
  if (!claimed) return;
  const { version, attempts } = claimed;
  const error = await sendRegistration(deps, packageId);
  if (error === undefined) {
    await saveDone(db, { packageId, version, at: now() });
    return;
  }
  // The first attempts may fail because wallet and provider start at the same time. So only later failures
  // are warnings.
  const level = attempts > 2 ? 'warn' : 'info';
  logger[level]({ packageId, reason: error }, 'a package could not be registered at the upstream');
  const nextTryAt = new Date(now().getTime() + pauseAfter(attempts));
  await saveFailed(db, { packageId, error, nextTryAt });
}

/** Returns the reason of a failure; undefined on success. */
async function sendRegistration(deps: RegistrarDeps, packageId: number): Promise<string | undefined> {
  const access = await findCallbackAccess(deps.db, deps.masterKey, { packageId, at: deps.now() });
  if (!access) return 'no_live_callback_pair';
  try {
    await deps.upstream.registerPackage({ ...access, callbackUrl: deps.callbackUrl });
    return undefined;
  } catch (error) {
    if (error instanceof UpstreamFailure) return error.reason;
    throw error;
  }
}

/** The pause after a failed attempt: 1 s, 2 s, 4 s, and so on up to 5 min. */
const pauseAfter = (attempts: number): number =>
  Math.min(1000 * 2 ** Math.min(attempts - 1, 20), longestPauseMs);

const defaultPauseMs = 1000;

export async function startRegistrar(
  deps: RegistrarDeps & { readonly pauseMs?: number },
): Promise<{ stop(): Promise<void> }> {
  const { db, logger, pauseMs = defaultPauseMs } = deps;
  await requestAllRegistrations(db, deps.now());
  return repeat(
    () => registerPackages(deps),
    pauseMs,
    (error) => logger.warn({ err: error }, 'registering packages with the upstream failed'),
  );
}
