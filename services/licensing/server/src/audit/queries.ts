// Reads the audit log of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { Page } from '../wire/paging.ts';
import type { ListedAuditEvent } from './audit-event.ts';

/** The newest entries first. */
export async function listAudit(
  db: Queryable,
  wanted: { workspaceId: bigint; page: Page; action: string | undefined },
): Promise<ListedAuditEvent[]> {
  const { limit, after } = wanted.page;
  const { rows } = await db.query(
    `select * from audit_log
     where workspace_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [wanted.workspaceId, after[0] ?? null, wanted.action ?? null, limit],
  );
  return rows.map((row) => fromRow<ListedAuditEvent>(row));
}
