// The audit log of a package or of the platform, the latest first.
import type { Queryable } from '@counterfoil/kit/db';
import type { ListedAuditEvent } from './audit-event.ts';
import { selectAuditRows, type WantedAudit } from './store.ts';

export const listAudit = (db: Queryable, wanted: WantedAudit): Promise<ListedAuditEvent[]> =>
  selectAuditRows(db, wanted);
