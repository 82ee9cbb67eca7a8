// Finds purchases on many hosts, callers with many refused codes, and blocked purchases.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';

/** The maximum number of rows of each table that a query reads. */
const maxRead = 20_000;

export interface BusyPurchase extends ManagedPurchase {
  readonly hosts: number;
  readonly refusedHosts: number;
  readonly lastAt: Date;
}

/**
 * Selects the purchases for which at least `minHosts` hosts and machines occupied a seat or were refused
 * after `since`. A host that was refused and later activated counts once. Only the newest activations and
 * refusals of the workspace are read. Blocked, refunded and cancelled purchases are left out.
 */
export const selectBusyPurchases = (
  db: Queryable,
  of: { workspaceId: bigint; since: Date; minHosts: number; limit: number },
): Promise<BusyPurchase[]> =>
  queryRows<BusyPurchase>(
    db,
    `with seen as (
       (select purchase_id, target_hash, created_at as at, false as refused from activations
        where workspace_id = $1 and created_at > $2 and counts
        order by created_at desc limit ${maxRead})
       union all
       (select purchase_id, target_hash, refused_at, true from activation_refusals
        where workspace_id = $1 and refused_at > $2 order by refused_at desc limit ${maxRead})
     ), busy as (
       select purchase_id, count(distinct target_hash)::int as hosts,
         (count(*) filter (where refused))::int as refused_hosts, max(at) as last_at
       from seen group by purchase_id having count(distinct target_hash) >= $3
     )
     select p.*, b.hosts, b.refused_hosts, b.last_at from busy b
     join purchases p on p.workspace_id = $1 and p.id = b.purchase_id
     where p.state in ('active', 'disputed') and p.blocked_at is null
     order by b.hosts desc, p.id desc limit $4`,
    [of.workspaceId, of.since, of.minHosts, of.limit],
  );

export interface FailingCaller {
  readonly address: string;
  readonly failures: number;
  readonly peak: number;
  readonly codes: number;
  readonly lastAt: Date;
}

/**
 * Selects the callers with at least `minFailures` refused codes in one clock hour after `since`. The table
 * `refused_codes` contains the codes that were refused at the update server or at the sign-in of buyers, and
 * the request log contains all other refused codes. Requests without a code, such as reads of a purchase by
 * its id, do not count. Only the newest failed requests of the workspace are read, so very many failures of
 * one caller can hide older failures of other callers. `refused_codes` has one row per hour, so the first
 * hour counts as a whole.
 */
export const selectFailingCallers = (
  db: Queryable,
  of: { workspaceId: bigint; since: Date; minFailures: number; limit: number },
): Promise<FailingCaller[]> =>
  queryRows<FailingCaller>(
    db,
    `with failed as (
       select at, address, code, code_hint from request_log
       where workspace_id = $1 and at > $2 and status >= 400 order by at desc, id desc limit ${maxRead}
     ), refused as (
       select date_trunc('hour', at, 'UTC') as hour, at, address, code_hint, 1 as failures from failed
       where code_hint <> '' and (code = 'rate_limited' or code ^@ 'purchase_')
       union all
       (select hour, last_at, address, code_hint, failures from refused_codes
        where workspace_id = $1 and hour > $2::timestamptz - interval '1 hour' and last_at > $2
        order by hour desc, failures desc limit ${maxRead})
     ), peaks as (
       select address, max(failures)::int as peak
       from (select address, sum(failures) as failures from refused group by address, hour) hourly
       group by address having max(failures) >= $3
     )
     select address, sum(failures)::int as failures, min(peak) as peak,
       count(distinct nullif(code_hint, ''))::int as codes, max(at) as last_at
     from refused join peaks using (address)
     group by address order by peak desc, address limit $4`,
    [of.workspaceId, of.since, of.minFailures, of.limit],
  );

/** Selects the purchases that were blocked last. */
export const selectBlockedPurchases = (
  db: Queryable,
  of: { workspaceId: bigint; limit: number },
): Promise<ManagedPurchase[]> =>
  queryRows<ManagedPurchase>(
    db,
    `select * from purchases where workspace_id = $1 and blocked_at is not null
     order by blocked_at desc, id desc limit $2`,
    [of.workspaceId, of.limit],
  );
