// Removes the free texts of a player's movements; the journal keeps their hashes.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { deleteNotes } from './store/journal-store.ts';

export const eraseNotes = (tx: Tx, wanted: { packageId: number; account: bigint }): Promise<void> =>
  deleteNotes(tx, wanted);
