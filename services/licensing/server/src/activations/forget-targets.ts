// Forgets where purchases run, by name: part of erasing their buyer. The places stay taken.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { eraseTargets } from './store.ts';

export const forgetTargets = (
  tx: Tx,
  of: { workspaceId: bigint; purchaseIds: readonly bigint[] },
): Promise<void> => eraseTargets(tx, of);
