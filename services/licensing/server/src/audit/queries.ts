// Reads the audit log of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { Page } from '../wire/paging.ts';
import type { ListedAuditEvent } from './audit-event.ts';

/** Lists the entries, newest first. */
export const listAudit = (
  db: Queryable,
  { workspaceId, page, action }: { workspaceId: bigint; page: Page; action: string | undefined },
): Promise<ListedAuditEvent[]> =>
  queryRows<ListedAuditEvent>(
    db,
    `select * from audit_log
     where workspace_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [workspaceId, page.after[0], action, page.limit],
  );
