// Rows of `api_key_uses`.
import type { Tx } from '@counterfoil/kit/db';
import type { KeyUse } from './record-key-uses.ts';

/** The latest use wins, whichever process tells of it last. */
export async function upsertKeyUses(
  tx: Tx,
  workspaceId: bigint,
  uses: readonly KeyUse[],
): Promise<void> {
  await tx.query({
    name: 'upsert_key_uses',
    text: `insert into api_key_uses (workspace_id, api_key_id, last_used_at, last_used_address)
           select $1, * from unnest($2::bigint[], $3::timestamptz[], $4::text[])
           on conflict (workspace_id, api_key_id) do update
             set last_used_at = excluded.last_used_at,
               last_used_address = excluded.last_used_address
             where api_key_uses.last_used_at < excluded.last_used_at`,
    values: [
      workspaceId,
      uses.map((use) => use.apiKeyId),
      uses.map((use) => use.at),
      uses.map((use) => use.address),
    ],
  });
}
