// Writes `licence_terms`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { SetTerms } from './licence-terms.ts';

export async function saveTerms(
  tx: Tx,
  given: { workspaceId: bigint; itemId: bigint; terms: SetTerms },
): Promise<void> {
  const { terms } = given;
  await tx.query(
    `insert into licence_terms (workspace_id, item_id, valid_days, grace_days, term_months, updates)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, item_id) do update
     set valid_days = excluded.valid_days, grace_days = excluded.grace_days,
       term_months = excluded.term_months, updates = excluded.updates`,
    [given.workspaceId, given.itemId, terms.valid_days, terms.grace_days, terms.term_months, terms.updates],
  );
}
