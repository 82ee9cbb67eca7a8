// The credit of now, for answers that failed: told where it can be had in time, else as last seen.

import { ServiceError } from '@counterfoil/kit/http/errors';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { type Ledger, LedgerFailure } from '../../ledger/engine/ledger.ts';
import { getCredit } from '../../ledger/get-credit.ts';
import { presentCredit } from '../credit-alert.ts';
import type { CustomerPackage } from '../customer-package.ts';

/** Who failed for want of a database has used up most of its time already. */
const withinMs = { usual: deadlineMs(1500), outage: deadlineMs(200) };
/** Where so many wait for a connection, one more question would only keep others waiting. */
const maxWaiting = 64;

const isOutage = (error: unknown): error is LedgerFailure | ServiceError =>
  error instanceof LedgerFailure || (error instanceof ServiceError && error.status === 503);

export async function presentCreditNow(
  deps: { db: Db; ledger: Pick<Ledger, 'peekCredit'> },
  given: CustomerPackage,
  error: unknown,
): Promise<Record<string, unknown>> {
  const credit = isOutage(error)
    ? await findInOutage(deps, given.id, error)
    : await askWithin(deps.db, given.id, withinMs.usual);
  return credit === undefined ? {} : presentCredit(given, credit);
}

/** What may have been applied may have changed the credit too: then what was seen before it says nothing. */
async function findInOutage(
  { db, ledger }: { db: Db; ledger: Pick<Ledger, 'peekCredit'> },
  packageId: number,
  { code }: LedgerFailure | ServiceError,
): Promise<bigint | undefined> {
  const isBusy = db.connections().waiting >= maxWaiting;
  const credit = isBusy ? undefined : await askWithin(db, packageId, withinMs.outage);
  return credit ?? (code === 'outcome_unknown' ? undefined : ledger.peekCredit(packageId));
}

async function askWithin(db: Db, packageId: number, ms: number): Promise<bigint | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const asked = getCredit(db, packageId).catch(() => undefined);
  const credit = await Promise.race([asked, late]);
  clearTimeout(timer);
  return credit;
}
