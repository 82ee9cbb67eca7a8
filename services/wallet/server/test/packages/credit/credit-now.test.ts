// The credit in error answers is read from the database. If no connection is free, the last known credit is
// used.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { fail } from '../../../src/errors.ts';
import { LedgerFailure } from '../../../src/ledger/engine/ledger.ts';
import { presentCreditNow } from '../../../src/packages/credit/credit-now.ts';
import type { CustomerPackage } from '../../../src/packages/customer-package.ts';
import { type Given, givenWallet } from '../../environment/given.ts';

let given: Given;
let owner: CustomerPackage;
const seen = { peekCredit: () => 500n };
const asked = { package_balance: 1000, credit_alert: null };
const lastSeen = { package_balance: 5, credit_alert: null };

beforeAll(async () => {
  given = await givenWallet();
  const { id, currency, decimals } = await given.package({ credit: '1000.00' });
  owner = { id, currency, decimals, overdraftLimit: 0n, alertThreshold: 0n } as CustomerPackage;
});

afterAll(() => given.close());

it.each([
  ['overloaded', new LedgerFailure('overloaded'), lastSeen],
  ['unavailable', fail('unavailable'), lastSeen],
  ['outcome_unknown', new LedgerFailure('outcome_unknown'), {}],
])(
  'while all connections are busy, the answer to the error %s has the credit $2',
  async (_title, error, expected) => {
    const deps = { db: given.db, ledger: seen };
    expect(await presentCreditNow(deps, owner, error)).toEqual(asked);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(() => release());
    const holders = Array.from({ length: 100 }, () => given.db.transaction(() => released));
    await eventually(() => expect(given.db.connections().waiting).toBeGreaterThanOrEqual(64));
    const { waiting } = given.db.connections();
    const presented = presentCreditNow(deps, owner, error);
    expect(given.db.connections().waiting).toBe(waiting);
    expect(await presented).toEqual(expected);
    release();
    await Promise.all(holders);
  },
);
