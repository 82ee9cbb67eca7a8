// Writes `signing_keys`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { SigningKey } from './signing-key.ts';

export async function insertSigningKeyRow(
  tx: Tx,
  key: Omit<SigningKey, 'id' | 'publishedUntil'>,
): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into signing_keys (workspace_id, kid, public_key, private_key_sealed, created_at, signs_from)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [key.workspaceId, key.kid, key.publicKey, key.privateKeySealed, key.createdAt, key.signsFrom],
  );
  return rows[0]?.id ?? 0n;
}

export async function saveSigningTimes(
  tx: Tx,
  key: Pick<SigningKey, 'workspaceId' | 'id' | 'signsFrom' | 'publishedUntil'>,
): Promise<void> {
  await tx.query(
    'update signing_keys set signs_from = $3, published_until = $4 where workspace_id = $1 and id = $2',
    [key.workspaceId, key.id, key.signsFrom, key.publishedUntil ?? null],
  );
}

/** Deletes all retired keys except the `keep` newest. */
export async function deleteRetiredKeys(
  tx: Tx,
  of: { workspaceId: bigint; now: Date; keep: number },
): Promise<void> {
  await tx.query(
    `delete from signing_keys where workspace_id = $1 and id in (
       select id from signing_keys where workspace_id = $1 and published_until <= $2
       order by id desc offset $3)`,
    [of.workspaceId, of.now, of.keep],
  );
}
