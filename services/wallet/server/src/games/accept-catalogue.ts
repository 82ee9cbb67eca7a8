// An administrator takes a catalogue that shrank: from now on, lists of that size count as good.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { platformTenant } from '../platform.ts';
import type { CatalogueSource } from '../upstream/upstream.ts';
import { saveAcceptedTotal } from './catalogue-store.ts';

export async function acceptCatalogue(
  tx: Tx,
  accepted: { source: CatalogueSource; total: number; actor: Actor; at: Date },
): Promise<void> {
  const { source, total, actor, at } = accepted;
  await saveAcceptedTotal(tx, { source, total });
  await recordAudit(tx, {
    packageId: Number(platformTenant),
    at,
    actor,
    action: 'catalogue_accepted',
    subject: { kind: 'catalogue', id: source },
    details: { total },
  });
}
