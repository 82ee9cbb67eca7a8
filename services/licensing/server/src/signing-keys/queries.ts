// Reads the signing keys of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { SigningKey } from './signing-key.ts';

/** Selects all keys of a workspace, newest first. A rotation limits their number. */
export const selectSigningKeys = (db: Queryable, workspaceId: bigint): Promise<SigningKey[]> =>
  queryRows<SigningKey>(
    db,
    `select workspace_id, id, kid, public_key, private_key_sealed, created_at, signs_from, published_until
     from signing_keys where workspace_id = $1 order by id desc`,
    [workspaceId],
  );
