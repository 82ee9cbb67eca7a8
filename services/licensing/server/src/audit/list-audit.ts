// The audit log of a workspace, the latest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../wire/paging.ts';
import type { ListedAuditEvent } from './audit-event.ts';
import { selectAuditRows } from './store.ts';

export async function listAudit(
  db: Queryable,
  wanted: { workspaceId: bigint; page: Page; action: string | undefined },
): Promise<ListedAuditEvent[]> {
  const { limit, after } = wanted.page;
  return await selectAuditRows(db, { ...wanted, limit, beforeId: after[0] });
}
