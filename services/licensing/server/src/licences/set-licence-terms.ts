// Sets the terms of licences, for one item or for the whole workspace.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import { type SetTerms, termNames } from './licence-terms.ts';
import { getLicenceTerms } from './queries.ts';
import { saveTerms } from './store.ts';

/** New terms apply to licences that are issued afterwards. Issued licences keep their terms. */
export async function setLicenceTerms(
  tx: Tx,
  wanted: { caller: Caller; itemId: bigint; terms: SetTerms; now: Date },
): Promise<void> {
  const { caller, itemId, terms, now } = wanted;
  const { workspaceId } = caller;
  const key = { workspaceId, itemId };
  await lockWorkspace(tx, workspaceId);
  if (itemId !== 0n) await getOwnItem(tx, key);
  const { set: before } = await getLicenceTerms(tx, key);
  const changed = termNames.filter((name) => before[name] !== terms[name]);
  if (changed.length === 0) return;
  await saveTerms(tx, { ...key, terms });
  const subject =
    itemId === 0n ? { kind: 'workspace', id: String(workspaceId) } : { kind: 'item', id: String(itemId) };
  const details = Object.fromEntries(
    changed.map((name) => [name, { from: before[name] ?? 'default', to: terms[name] ?? 'default' }]),
  );
  await recordAudit(tx, { ...caller, at: now, action: 'licence_terms_changed', subject, details });
}
