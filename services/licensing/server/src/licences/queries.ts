// Reads the terms of licences, the seats of hosts, and the codes whose licences are revoked.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { ItemKey } from '../items/queries.ts';
import { defaultTerms, type LicenceTerms, type SetTerms } from './licence-terms.ts';

/**
 * Reads the terms that a seller has set for the items and for the workspace. The terms of the workspace have
 * the item id 0.
 */
async function selectTerms(
  db: Queryable,
  of: { workspaceId: bigint | string; itemIds: readonly bigint[] },
): Promise<Map<bigint, SetTerms>> {
  const rows = await queryRows<{ itemId: bigint; terms: SetTerms }>(
    db,
    `select item_id, jsonb_strip_nulls(jsonb_build_object('valid_days', valid_days,
       'grace_days', grace_days, 'term_months', term_months, 'updates', updates)) as terms
     from licence_terms where workspace_id = $1 and item_id = any($2::bigint[])`,
    [of.workspaceId, [0n, ...of.itemIds]],
  );
  return new Map(rows.map(({ itemId, terms }) => [itemId, terms]));
}

const applyTerms = (found: ReadonlyMap<bigint, SetTerms>, itemId: bigint): LicenceTerms => ({
  ...defaultTerms,
  ...found.get(0n),
  ...found.get(itemId),
});

/**
 * The terms of the item take precedence over the terms of the workspace. The terms of the workspace take
 * precedence over the defaults.
 */
export async function getLicenceTerms(
  db: Queryable,
  { workspaceId, itemId }: ItemKey,
): Promise<{ set: SetTerms; inForce: LicenceTerms }> {
  const found = await selectTerms(db, { workspaceId, itemIds: [itemId] });
  return { set: found.get(itemId) ?? {}, inForce: applyTerms(found, itemId) };
}

export interface WantedLicence {
  readonly purchaseId: bigint;
  readonly itemId: bigint;
  readonly targetHash: Buffer;
}

export interface LicenceFacts {
  readonly terms: LicenceTerms;
  /** When the host was last seen; undefined if the host has no activation, or its activation was released. */
  readonly seenAt: Date | undefined;
}

export type LicenceFactsFinder = (
  workspaceId: bigint,
  wanted: WantedLicence,
) => Promise<LicenceFacts | undefined>;

/** The largest number of licences in one query. */
const maxBatch = 256;

/** Concurrent requests share their queries, so a licence for a known host costs little. */
export function createLicenceFactsFinder(db: Queryable): LicenceFactsFinder {
  const find = createCoalescer<WantedLicence, LicenceFacts>({
    maxBatch,
    maxInFlight: 2,
    load: async (workspaceId, wanted) => {
      const itemIds = [...new Set(wanted.map(({ itemId }) => itemId))];
      const [terms, seats] = await Promise.all([
        selectTerms(db, { workspaceId, itemIds }),
        selectSeats(db, workspaceId, wanted),
      ]);
      return wanted.map((each) => ({
        terms: applyTerms(terms, each.itemId),
        seenAt: seats.get(nameSeat(each)),
      }));
    },
  });
  return (workspaceId, wanted) => find(String(workspaceId), wanted);
}

const nameSeat = ({ purchaseId, targetHash }: Pick<WantedLicence, 'purchaseId' | 'targetHash'>) =>
  `${purchaseId} ${targetHash.toString('base64')}`;

async function selectSeats(
  db: Queryable,
  workspaceId: string,
  wanted: readonly WantedLicence[],
): Promise<Map<string, Date>> {
  const rows = await queryRows<{ purchaseId: bigint; targetHash: Buffer; lastSeenAt: Date }>(
    db,
    `select a.purchase_id, a.target_hash, a.last_seen_at
     from unnest($2::bigint[], $3::bytea[]) as w (purchase_id, target_hash)
     join activations a on a.workspace_id = $1 and a.purchase_id = w.purchase_id
       and a.target_hash = w.target_hash
     where a.released_at is null`,
    [workspaceId, wanted.map(({ purchaseId }) => purchaseId), wanted.map(({ targetHash }) => targetHash)],
  );
  return new Map(rows.map((row) => [nameSeat(row), row.lastSeenAt]));
}

export interface RevokedCode {
  readonly codeHash: Buffer;
  readonly changedAt: Date;
}

/**
 * Selects the codes whose licences are revoked: codes of purchases that were refunded, cancelled, disputed or
 * blocked after `since`, and codes that were replaced after `since`. The newest come first. Purchases without
 * an activation are left out, because a licence exists only for an activated purchase.
 */
export const selectRevokedCodes = (
  db: Queryable,
  of: { workspaceId: bigint; since: Date; limit: number },
): Promise<RevokedCode[]> =>
  queryRows<RevokedCode>(
    db,
    `select code_hash, changed_at from (
       (select p.code_hash, p.updated_at as changed_at from purchases p
        where p.workspace_id = $1 and p.state <> 'active' and p.updated_at > $2
          and exists (select from activations a where a.workspace_id = $1 and a.purchase_id = p.id)
        order by p.updated_at desc limit $3)
       union all
       (select p.code_hash, p.blocked_at from purchases p
        where p.workspace_id = $1 and p.blocked_at > $2 and p.state = 'active'
          and exists (select from activations a where a.workspace_id = $1 and a.purchase_id = p.id)
        order by p.blocked_at desc limit $3)
       union all
       (select r.code_hash, r.retired_at from retired_codes r
        where r.workspace_id = $1 and r.retired_at > $2
          and exists (select from activations a where a.workspace_id = $1 and a.purchase_id = r.purchase_id)
        order by r.retired_at desc limit $3)
     ) revoked order by changed_at desc limit $3`,
    [of.workspaceId, of.since, of.limit],
  );
