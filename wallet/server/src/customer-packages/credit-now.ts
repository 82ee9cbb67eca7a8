// The credit of now, for answers that failed: told where it can be had in time, else left out.
import type { Db } from '@counterfoil/kit/db';
import { ServiceError } from '@counterfoil/kit/errors';
import { getCredit } from '../ledger/get-credit.ts';
import { LedgerFailure } from '../ledger/ledger.ts';
import { presentCredit } from './credit.ts';
import type { CustomerPackage } from './customer-package.ts';

/** Who failed for want of a database has used up most of its time already. */
const withinMs = { usual: 1500, outage: 200 };
/** Where so many wait for a connection, one more question would only keep others waiting. */
const maxWaiting = 64;

const isOutage = (error: unknown) =>
  error instanceof LedgerFailure || (error instanceof ServiceError && error.status === 503);

export async function presentCreditNow(
  db: Db,
  given: CustomerPackage,
  error: unknown,
): Promise<Record<string, unknown>> {
  const inOutage = isOutage(error);
  if (inOutage && db.connections().waiting >= maxWaiting) return {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, inOutage ? withinMs.outage : withinMs.usual, undefined);
  });
  const asked = getCredit(db, given.id).catch(() => undefined);
  const credit = await Promise.race([asked, late]);
  clearTimeout(timer);
  return credit === undefined ? {} : presentCredit(given, credit);
}
