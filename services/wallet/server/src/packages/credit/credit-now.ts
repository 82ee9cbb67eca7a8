// The package's credit for error answers. The credit is read from the database within a time limit. If this
// fails in an outage, the last credit in memory is used.
import { ServiceError } from '@counterfoil/kit/http/errors';
import { toServiceError } from '@counterfoil/kit/http/render-error';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { errors, fail } from '../../errors.ts';
import { type Ledger, LedgerFailure } from '../../ledger/engine/ledger.ts';
import { getCredit } from '../../ledger/queries.ts';
import { presentCredit, writeCredit } from '../credit-alert.ts';
import type { CustomerPackage } from '../customer-package.ts';

/**
 * Time limits for reading the credit. The limit `outage` is shorter, because a request has already used most
 * of its time when it meets an outage.
 */
const withinMs = { regular: deadlineMs(1500), outage: deadlineMs(200) };
/**
 * If this many requests wait for a connection, the credit is not read from the database, because another
 * query would delay these requests further.
 */
const maxWaiting = 64;

const isOutage = (error: unknown): error is LedgerFailure | ServiceError =>
  error instanceof LedgerFailure || (error instanceof ServiceError && error.status === 503);

/**
 * Converts a failure to the error that is answered. Adds the package's credit if the error does not contain
 * it.
 */
export type Refuse = (customerPackage: CustomerPackage, error: unknown) => Promise<ServiceError>;

interface CreditSources {
  readonly db: Db;
  readonly ledger: Pick<Ledger, 'peekCredit'>;
}

export const createRefuse =
  (deps: CreditSources): Refuse =>
  async (customerPackage, error) => {
    if (error instanceof ServiceError && error.details.extras) return error;
    const extras = await presentCreditNow(deps, customerPackage, error);
    return toServiceError(toApiError(error), errors).with({ extras });
  };

/** Converts a failure of the ledger to an error of the API. Other errors are returned unchanged. */
const toApiError = (error: unknown): unknown =>
  error instanceof LedgerFailure ? fail(error.code, { cause: error.cause ?? error }) : error;

export function explainFailure(error: unknown): never {
  throw toApiError(error);
}

/**
 * Whether the ledger's queue rejected the order: the queue was full, the estimated wait was too long, or the
 * order waited too long. The error of any other overload has a `cause`.
 */
export const isQueueOverload = (error: unknown): boolean =>
  error instanceof LedgerFailure && error.code === 'overloaded' && error.cause === undefined;

/** The JSON fields of the credit for an overload answer, without braces; empty if the credit is unknown. */
export function writeLastCredit(ledger: CreditSources['ledger'], customerPackage: CustomerPackage): string {
  const credit = ledger.peekCredit(customerPackage.id);
  return credit === undefined ? '' : writeCredit(customerPackage, credit);
}

export async function presentCreditNow(
  deps: CreditSources,
  given: CustomerPackage,
  error: unknown,
): Promise<Record<string, unknown>> {
  const credit = isOutage(error)
    ? await findInOutage(deps, given.id, error)
    : await askWithin(deps.db, given.id, withinMs.regular);
  return credit === undefined ? {} : presentCredit(given, credit);
}

/**
 * Finds the credit while the database is overloaded or unavailable. If the outcome of an order is unknown,
 * the order may have changed the credit, so the last credit in memory is not used.
 */
async function findInOutage(
  { db, ledger }: CreditSources,
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
