// Puts another id in the place of one that was erased, in every line about it.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type AuditSubjectChange, updateAuditSubject } from './store.ts';

export const renameAuditSubject = (tx: Tx, change: AuditSubjectChange): Promise<void> =>
  updateAuditSubject(tx, change);
