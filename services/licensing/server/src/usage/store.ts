// Writes `validation_hours`, `api_key_uses` and `refused_codes`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { ValidationHour } from './usage-buffer.ts';

/** Adds the new counts to the stored counts. */
export async function addValidationHours(
  tx: Tx,
  workspaceId: bigint,
  hours: readonly ValidationHour[],
): Promise<void> {
  await tx.query({
    name: 'add_validation_hours',
    text: `insert into validation_hours (workspace_id, hour, item_id, valid, invalid)
           select $1, * from unnest($2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[])
           on conflict (workspace_id, hour, item_id) do update
             set valid = validation_hours.valid + excluded.valid,
               invalid = validation_hours.invalid + excluded.invalid`,
    values: [
      workspaceId,
      hours.map((each) => each.hour.toISOString()),
      hours.map((each) => each.itemId),
      hours.map((each) => each.valid),
      hours.map((each) => each.invalid),
    ],
  });
}

export interface KeyUse {
  readonly apiKeyId: bigint;
  readonly at: Date;
  readonly address: string;
  /** The last web page that sent the secret key; undefined if none did. */
  readonly page: { readonly origin: string; readonly at: Date } | undefined;
}

/**
 * Stores the latest use of each key, and the latest page that sent the key. Several processes may write in
 * any order.
 */
export async function recordKeyUses(tx: Tx, workspaceId: bigint, uses: readonly KeyUse[]): Promise<void> {
  await tx.query({
    name: 'upsert_key_uses',
    text: `insert into api_key_uses as known (workspace_id, api_key_id, last_used_at, last_used_address,
             page_origin, page_seen_at)
           select $1, * from unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[],
             $6::timestamptz[])
           on conflict (workspace_id, api_key_id) do update
             set last_used_at = greatest(known.last_used_at, excluded.last_used_at),
               last_used_address = case when known.last_used_at < excluded.last_used_at
                 then excluded.last_used_address else known.last_used_address end,
               page_origin = case when excluded.page_seen_at >= coalesce(known.page_seen_at, '-infinity')
                 then excluded.page_origin else known.page_origin end,
               page_seen_at = greatest(known.page_seen_at, excluded.page_seen_at)
             where known.last_used_at < excluded.last_used_at or excluded.page_seen_at is not null`,
    values: [
      workspaceId,
      uses.map((use) => use.apiKeyId),
      uses.map((use) => use.at),
      uses.map((use) => use.address),
      uses.map((use) => use.page?.origin ?? ''),
      uses.map((use) => use.page?.at ?? null),
    ],
  });
}

/** The refused codes of one caller in one hour that end with the same characters. */
export interface RefusedCode {
  readonly hour: Date;
  readonly address: string;
  readonly codeHint: string;
  readonly failures: number;
  readonly lastAt: Date;
}

/** Adds the new refusals to the stored refusals. */
export async function addRefusedCodes(
  tx: Tx,
  workspaceId: bigint,
  codes: readonly RefusedCode[],
): Promise<void> {
  await tx.query({
    name: 'add_refused_codes',
    text: `insert into refused_codes as known (workspace_id, hour, address, code_hint, failures, last_at)
           select $1, * from unnest($2::timestamptz[], $3::text[], $4::text[], $5::bigint[],
             $6::timestamptz[])
           on conflict (workspace_id, hour, address, code_hint) do update
             set failures = known.failures + excluded.failures,
               last_at = greatest(known.last_at, excluded.last_at)`,
    values: [
      workspaceId,
      codes.map((each) => each.hour.toISOString()),
      codes.map((each) => each.address),
      codes.map((each) => each.codeHint),
      codes.map((each) => each.failures),
      codes.map((each) => each.lastAt.toISOString()),
    ],
  });
}
