// Opens a package's ledger: its own three accounts at zero, and the start of its chain.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { makeGenesisHash } from './rules/chain.ts';
import { insertLedgerRows, insertPlayerAccountRow } from './store/ledger-store.ts';

export async function openLedger(tx: Tx, packageId: number): Promise<void> {
  await insertLedgerRows(tx, packageId, makeGenesisHash(packageId));
}

export const openPlayerAccount = (tx: Tx, packageId: number): Promise<bigint> =>
  insertPlayerAccountRow(tx, packageId);
