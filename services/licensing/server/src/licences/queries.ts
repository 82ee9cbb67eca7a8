// Reads the terms of licences, the seats of hosts, and the codes whose licences are revoked.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { ItemKey } from '../items/queries.ts';
import { defaultTerms, type LicenceTerms, type SetTerms } from './licence-terms.ts';

/** The terms that a seller has set, by item id. The terms of the workspace have the item id 0. */
type TermsByItem = Readonly<Record<string, SetTerms>>;

const setTerms = `select jsonb_object_agg(item_id, jsonb_strip_nulls(jsonb_build_object(
    'valid_days', valid_days, 'grace_days', grace_days, 'term_months', term_months, 'updates', updates)))
    as terms
  from licence_terms where workspace_id = $1 and item_id = any($2::bigint[])`;

const applyTerms = (found: TermsByItem, itemId: bigint): LicenceTerms => ({
  ...defaultTerms,
  ...found['0'],
  ...found[String(itemId)],
});

/**
 * The terms of the item take precedence over the terms of the workspace. The terms of the workspace take
 * precedence over the defaults.
 */
export async function getLicenceTerms(
  db: Queryable,
  { workspaceId, itemId }: ItemKey,
): Promise<{ set: SetTerms; inForce: LicenceTerms }> {
  const row = await queryRow<{ terms?: TermsByItem }>(db, setTerms, [workspaceId, [0n, itemId]]);
  const found = row?.terms ?? {};
  return { set: found[String(itemId)] ?? {}, inForce: applyTerms(found, itemId) };
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

/** Concurrent requests share a query, so a licence for a known host costs little. */
export function createLicenceFactsFinder(db: Queryable): LicenceFactsFinder {
  const find = createCoalescer<WantedLicence, LicenceFacts>({
    maxBatch,
    maxInFlight: 2,
    load: (workspaceId, wanted) => selectLicenceFacts(db, workspaceId, wanted),
  });
  return (workspaceId, wanted) => find(String(workspaceId), wanted);
}

/**
 * The terms of the items, and the times at which the hosts were last seen, in milliseconds. The key of a time
 * is the position of the host in the request, from 1. `offset 0` keeps the planner from a join that reads all
 * activations: each host is one look-up in the unique index.
 */
const licenceFacts = `select * from (${setTerms}) t cross join (
    select jsonb_object_agg(w.n, extract(epoch from a.last_seen_at) * 1000) as seen
    from unnest($3::bigint[], $4::bytea[]) with ordinality as w (purchase_id, target_hash, n)
    cross join lateral (
      select last_seen_at from activations
      where workspace_id = $1 and purchase_id = w.purchase_id and target_hash = w.target_hash
        and released_at is null
      offset 0
    ) a
  ) s`;

async function selectLicenceFacts(
  db: Queryable,
  workspaceId: string,
  wanted: readonly WantedLicence[],
): Promise<LicenceFacts[]> {
  const request = {
    name: 'select_licence_facts',
    text: licenceFacts,
    values: [
      workspaceId,
      [...new Set([0n, ...wanted.map(({ itemId }) => itemId)])],
      wanted.map(({ purchaseId }) => purchaseId),
      wanted.map(({ targetHash }) => targetHash),
    ],
  };
  const row = await queryRow<{ terms?: TermsByItem; seen?: Readonly<Record<string, number>> }>(db, request);
  const { terms = {}, seen = {} } = row ?? {};
  return wanted.map(({ itemId }, i) => {
    const seenMs = seen[i + 1];
    return {
      terms: applyTerms(terms, itemId),
      seenAt: seenMs === undefined ? undefined : new Date(seenMs),
    };
  });
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
