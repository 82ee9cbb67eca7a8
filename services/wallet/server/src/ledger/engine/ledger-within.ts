// A ledger for one movement or a few inside an open transaction: they are committed with it.
import { asPartOf, type Tx } from '@counterfoil/kit/postgres/db';
import { createLedger, type Ledger } from './ledger.ts';

/**
 * It ends with the transaction, so it sets no room aside for what repeats might ask. So few movements
 * may as well be written in the way that holds on every database.
 */
export const createLedgerWithin = (tx: Tx, now: () => Date = () => new Date()): Ledger =>
  createLedger({ db: asPartOf(tx), now, maxMovements: 1, onePackagePerBatch: true });
