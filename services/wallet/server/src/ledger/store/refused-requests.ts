// Writes and reads `refused_requests`, and marks each refused request in `bet_states`.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { houseAccount } from '../rules/movement.ts';
import { betStates } from './batch-columns.ts';

/** The refusal that every repeat of a request gets again. */
export interface RefusedRequest {
  readonly requestHash: string;
  readonly playerId: string;
  readonly code: string;
  /** The balance in the answer; undefined if the answer had none. */
  readonly balance: bigint | undefined;
}

/**
 * Stores refusals, and returns the request hashes whose first refusal is stored now. A request counts as
 * refused only if it has a mark in `bet_states`. A request that was accepted has a row in `bet_states`
 * already, so it gets no mark.
 */
export async function insertRefusedRequests(
  db: Queryable,
  { packageId, refused, at }: { packageId: number; refused: readonly RefusedRequest[]; at: Date },
): Promise<Set<string>> {
  const hashes = refused.map(({ requestHash }) => requestHash);
  // The hashes are sorted, so that two processes that insert the same requests cannot deadlock.
  const added = await db.query<{ hash: string }>({
    name: 'insert_refused_requests',
    text: `insert into refused_requests (package_id, request_hash, player_id, code, balance, created_at)
           select $1, n.hash, n.player_id, n.code, n.balance, $6
           from unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[]) as n (hash, player_id, code, balance)
           order by n.hash
           on conflict do nothing
           returning replace(request_hash::text, '-', '') as hash`,
    values: [
      ...[packageId, hashes, refused.map(({ playerId }) => playerId), refused.map(({ code }) => code)],
      ...[refused.map(({ balance }) => balance ?? null), at],
    ],
  });
  const marked = await db.query<{ hash: string }>({
    name: 'insert_refused_marks',
    text: `insert into bet_states (package_id, bet_hash, account_id, state, sequence, is_refused)
           select $1, n.hash, $3, $4, 0, true from unnest($2::uuid[]) as n (hash)
           order by n.hash
           on conflict do nothing
           returning replace(bet_hash::text, '-', '') as hash`,
    values: [packageId, hashes, houseAccount, betStates.requested],
  });
  const isAdded = new Set(added.rows.map(({ hash }) => hash));
  return new Set(marked.rows.map(({ hash }) => hash).filter((hash) => isAdded.has(hash)));
}

/** Returns the first refusal of a request; undefined if the request was not refused. */
export async function findRefusedRequest(
  db: Queryable,
  packageId: number,
  requestHash: string,
): Promise<RefusedRequest | undefined> {
  const { rows } = await db.query<{ player_id: string; code: string; balance: bigint | null }>({
    name: 'select_refused_request',
    text: `select r.player_id, r.code, r.balance from refused_requests r
           join bet_states b on b.package_id = $1 and b.bet_hash = $2 and b.account_id = $3 and b.is_refused
           where r.package_id = $1 and r.request_hash = $2`,
    values: [packageId, requestHash, houseAccount],
  });
  const [row] = rows;
  return row && { requestHash, playerId: row.player_id, code: row.code, balance: row.balance ?? undefined };
}

/** Deletes refusals that are older than `before`, at most `limit` of them. Returns how many it deleted. */
export async function deleteRefusedRequests(
  db: Queryable,
  { packageId, before, limit }: { packageId: number; before: Date; limit: number },
): Promise<number> {
  const { rows } = await db.query<{ hash: string }>(
    `select request_hash as hash from refused_requests where package_id = $1 and created_at < $2
     order by created_at limit $3`,
    [packageId, before, limit],
  );
  if (rows.length === 0) return 0;
  const hashes = rows.map(({ hash }) => hash);
  // The marks are deleted first. If the service stops before the refusals are deleted, the next run finds
  // the refusals again.
  await db.query(
    `delete from bet_states
     where package_id = $1 and bet_hash = any ($2::uuid[]) and account_id = $3 and is_refused`,
    [packageId, hashes, houseAccount],
  );
  await db.query('delete from refused_requests where package_id = $1 and request_hash = any ($2::uuid[])', [
    packageId,
    hashes,
  ]);
  return hashes.length;
}
