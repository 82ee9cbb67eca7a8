// The audit lines of pools. They contain counts, never codes.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';

export interface PoolToChange {
  readonly caller: Caller;
  readonly poolId: bigint;
  readonly now: Date;
}

export const keyOf = ({ caller, poolId }: Pick<PoolToChange, 'caller' | 'poolId'>) => ({
  workspaceId: caller.workspaceId,
  poolId,
});

export const auditPool = (
  tx: Tx,
  { caller, poolId, now }: PoolToChange,
  action: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(tx, { ...caller, at: now, action, subject: { kind: 'pool', id: String(poolId) }, details });
