// How far a newcomer has come: a key, an item, a first call, a first valid code.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { listApiKeys } from '../api-keys/list-api-keys.ts';
import { getKeyState } from '../authentication/api-key.ts';
import { listOwnItems } from '../items/management/list-own-items.ts';
import { hasValidated } from '../usage/has-validated.ts';

export async function readProgress(db: Queryable, workspaceId: bigint, now: Date) {
  const made = await listApiKeys(db, workspaceId, { limit: 100, after: [] });
  const keys = made.filter(({ isTest }) => !isTest);
  const published = { workspaceId, state: 'published' } as const;
  const { items } = await listOwnItems(db, published, { limit: 1, after: [] });
  return {
    has_key: keys.some((key) => getKeyState(key, now) === 'active'),
    has_item: items.length > 0,
    first_call_seen: keys.some((key) => key.lastUsed !== undefined),
    first_valid_code: await hasValidated(db, workspaceId),
  };
}
