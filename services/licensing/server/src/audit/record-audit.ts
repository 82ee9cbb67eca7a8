// Writes a line of the audit log in the transaction of what it tells of.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { AuditEvent } from './audit-event.ts';
import { insertAuditRow } from './store.ts';

export const recordAudit = (tx: Tx, event: AuditEvent): Promise<void> => insertAuditRow(tx, event);
