// Reads the credit of a package from its journal and writes an event at each change of the alert level.
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { findCreditAtHead, listCreditSteps } from '../ledger/queries.ts';
import { findAlertLevel } from '../packages/credit-alert.ts';
import { type NewEvent, recordEvent } from '../packages/package-events.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { hasEndpoint, lockWatch, saveWatch, selectWatched } from './store.ts';

const pageSize = 1000;
/**
 * The maximum number of pages that a run reads for one package, so that a long journal does not delay the
 * other packages.
 */
const maxPages = 20;

/**
 * Called when an endpoint is added. The first endpoint of a package starts the watch at the current alert
 * level. The caller must have locked the package.
 */
export async function beginCreditWatch(tx: Tx, packageId: number): Promise<void> {
  if (await hasEndpoint(tx, packageId)) return;
  const terms = await getManagedPackage(tx, packageId);
  const now = await findCreditAtHead(tx, packageId);
  if (now) await saveWatch(tx, { packageId, ...now, level: findAlertLevel(terms, now.credit) });
}

export async function watchCredit(deps: { db: Db; now: () => Date }): Promise<void> {
  for (const packageId of await selectWatched(deps.db)) {
    for (let page = 0; page < maxPages; page++) {
      const isFull = await deps.db.transaction((tx) => follow(tx, packageId, deps.now()));
      if (!isFull) break;
    }
  }
}

/**
 * Reads one page of the journal and records an event for each change of the alert level. Returns whether more
 * rows may follow.
 */
async function follow(tx: Tx, packageId: number, at: Date): Promise<boolean> {
  const watch = await lockWatch(tx, packageId);
  if (!watch) return false;
  const terms = await getManagedPackage(tx, packageId);
  const steps = await listCreditSteps(tx, { packageId, after: watch.sequence, limit: pageSize });
  let { level, credit } = watch;
  const events: NewEvent[] = [];
  const compareLevel = (balance: bigint, time: Date) => {
    credit = balance;
    const next = findAlertLevel(terms, balance);
    if (next === level) return;
    const data = {
      package_id: packageId,
      level: next ?? null,
      previous_level: level ?? null,
      package_balance: toJsonNumber(balance, terms),
      threshold: toJsonNumber(terms.alertThreshold, terms),
      currency: terms.currency,
    };
    const type = next ? (`credit.${next}` as const) : 'credit.restored';
    events.push({ type, at: time, subject: 'package', data });
    level = next;
  };
  // The credit of the last run is compared again, because a threshold may have changed since then.
  compareLevel(credit, at);
  for (const step of steps) if (step.credit !== undefined) compareLevel(step.credit, step.at);
  const sequence = steps.at(-1)?.sequence ?? watch.sequence;
  if (sequence === watch.sequence && events.length === 0) return false;
  await saveWatch(tx, { packageId, sequence, credit, level });
  await recordEvent(tx, packageId, ...events);
  return steps.length === pageSize;
}
