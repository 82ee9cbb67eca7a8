// One key of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedApiKey } from '../authentication/api-key.ts';
import { fail } from '../errors.ts';
import { selectApiKey } from './store.ts';

/** Another workspace's key is not there. */
export async function getApiKey(
  db: Queryable,
  key: { workspaceId: bigint; id: bigint },
): Promise<ListedApiKey> {
  const found = await selectApiKey(db, key);
  if (!found) throw fail('api_key_not_found');
  return found;
}
