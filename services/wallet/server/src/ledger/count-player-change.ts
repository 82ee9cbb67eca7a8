// Lets every process that writes for the package know that a player has another id or status.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { updatePlayersVersion } from './store/ledger-store.ts';

export const countPlayerChange = (db: Queryable, packageId: number): Promise<void> =>
  updatePlayersVersion(db, packageId);
