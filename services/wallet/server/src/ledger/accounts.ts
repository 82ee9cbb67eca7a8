// Writes that move no money: opening accounts, announcing changed players, erasing notes.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { makeGenesisHash } from './rules/chain.ts';
import { promoAccountOf } from './rules/movement.ts';
import {
  deleteNotes,
  insertAccountOnce,
  insertLedgerRows,
  insertPlayerAccountRow,
  updatePlayersVersion,
} from './store/ledger-store.ts';

/** Opens a package's ledger: its own three accounts at zero, and the start of its hash chain. */
export const openLedger = (tx: Tx, packageId: number): Promise<void> =>
  insertLedgerRows(tx, packageId, makeGenesisHash(packageId));

/** Opens an account at zero and returns its number. */
export const openPlayerAccount = (tx: Tx, packageId: number): Promise<bigint> =>
  insertPlayerAccountRow(tx, packageId);

/** Opens a player's promo account at zero, unless the account exists already. */
export const openPromoAccount = (db: Queryable, packageId: number, account: bigint): Promise<void> =>
  insertAccountOnce(db, packageId, promoAccountOf(account));

/**
 * Increments the package's `players_version`. From the next commit of a batch on, each process that writes
 * for the package sees that the id, status or maximum stake of a player has changed.
 */
export const countPlayerChange = (db: Queryable, packageId: number): Promise<void> =>
  updatePlayersVersion(db, packageId);

/** Deletes the notes of a player's movements; the journal keeps their hashes. */
export const eraseNotes = (tx: Tx, wanted: { packageId: number; account: bigint }): Promise<void> =>
  deleteNotes(tx, wanted);
