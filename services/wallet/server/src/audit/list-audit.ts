// The audit log of a package or of the platform, the latest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedAuditEvent } from './audit-event.ts';
import { selectAuditRows, selectUids, type WantedAudit } from './store.ts';

export const listAudit = (db: Queryable, wanted: WantedAudit): Promise<ListedAuditEvent[]> =>
  selectAuditRows(db, wanted);

/** The UIDs of the packages that these lines of the platform's log are about. */
export async function listUids(
  db: Queryable,
  events: readonly ListedAuditEvent[],
): Promise<Map<number, string>> {
  const ids = events.flatMap(({ aboutPackageId }) => aboutPackageId ?? []);
  return ids.length === 0 ? new Map() : await selectUids(db, ids);
}
