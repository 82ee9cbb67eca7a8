// Requests the catalogue of one source and decides whether to accept it.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../audit/audit-event.ts';
import { recordPlatformAudit } from '../audit/record-audit.ts';
import {
  type CatalogueSource,
  type FailureReason,
  type Upstream,
  UpstreamFailure,
} from '../upstream/upstream.ts';
import { type Catalogue, classifyCatalogue, countGames, type Suspicion } from './catalogue.ts';
import type { Copies, CopyStore } from './copies.ts';
import { saveAcceptedTotal } from './store.ts';

interface AskingDeps {
  readonly store: CopyStore;
  readonly upstream: Pick<Upstream, 'fetchCatalogue'>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly copies: Copies;
  /** Lists that are not accepted yet, by source. */
  readonly suspicions: Map<CatalogueSource, Suspicion>;
  /** The last failure of each source, so that a long failure is logged once. */
  readonly troubles: Map<CatalogueSource, FailureReason>;
}

/**
 * Requests the list of the source and stores it as the last good copy. Returns undefined if the
 * list cannot be used.
 */
export async function askForCatalogue(
  deps: AskingDeps,
  source: CatalogueSource,
): Promise<Catalogue | undefined> {
  const { troubles, logger } = deps;
  try {
    const found = await ask(deps, source);
    if (troubles.delete(source)) logger.info({ source }, 'a source of the catalogue works again');
    return found;
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    const { reason } = error;
    if (reason !== 'breaker_open' && troubles.get(source) !== reason) {
      troubles.set(source, reason);
      logger.warn({ source, reason }, 'a source of the catalogue failed');
    }
    return undefined;
  }
}

async function ask(deps: AskingDeps, source: CatalogueSource): Promise<Catalogue | undefined> {
  const { copies, suspicions, logger } = deps;
  const before = copies.find(source);
  const fetched = await deps.upstream.fetchCatalogue(source, before?.hash);
  const at = deps.now();
  if (!fetched) {
    suspicions.delete(source);
    return copies.confirm(source, at);
  }
  const total = fetched.content.entries.length;
  const given = { total, before: before && countGames(before), now: at };
  const asked = { source, ownTakenAt: before?.takenAt };
  if ((await classify(deps, asked, given)) === 'suspect') {
    const known = suspicions.get(source);
    suspicions.set(source, { since: known?.since ?? at, total });
    if (known?.total !== total) {
      const context = { source, total, before: given.before };
      logger.warn(context, 'the catalogue shrank; it is not accepted yet');
    }
    return undefined;
  }
  suspicions.delete(source);
  return copies.replace(source, fetched, at);
}

/**
 * Classifies a list. The database is read only for a suspect list, to find out whether an administrator or
 * another process has accepted the list.
 */
async function classify(
  { store, suspicions }: AskingDeps,
  asked: { source: CatalogueSource; ownTakenAt: Date | undefined },
  given: { total: number; before: number | undefined; now: Date },
): Promise<'good' | 'suspect'> {
  const suspicion = suspicions.get(asked.source);
  const alone = classifyCatalogue({ ...given, suspicion, accepted: undefined });
  if (alone === 'good') return alone;
  // If the database is unavailable, the list counts as not accepted. The request of the caller does not fail.
  const accepted = await store.findAcceptedTotal(asked).catch(() => undefined);
  return classifyCatalogue({ ...given, suspicion, accepted });
}

export async function acceptCatalogue(
  tx: Tx,
  accepted: { source: CatalogueSource; total: number; actor: Actor; at: Date },
): Promise<void> {
  const { source, total, actor, at } = accepted;
  await saveAcceptedTotal(tx, { source, total });
  await recordPlatformAudit(tx, {
    at,
    actor,
    action: 'catalogue_accepted',
    subject: { kind: 'catalogue', id: source },
    details: { total },
  });
}
