// Changes the name or the expiry of an API key, switches its answers for old plug-ins on or off, or revokes
// it.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { getKeyState, type ListedApiKey } from '../authentication/api-key.ts';
import { fail } from '../errors.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import { checkExpiry, checkKeyName } from './key-input.ts';
import { type KeyTarget, lockApiKey, lockRoomForKey, saveApiKey } from './lock-api-key.ts';

export interface WantedKeyChange extends KeyTarget {
  readonly name?: string | undefined;
  /** The new expiry. Null means that the key never expires. */
  readonly expiresAt?: Date | null | undefined;
  readonly legacyItem?: boolean | undefined;
}

/**
 * Changes a key. An expired key can get a later expiry. A revoked key stays revoked. A replaced key can only
 * get an earlier expiry, because its end was chosen when it was rotated.
 */
export async function changeApiKey(tx: Tx, wanted: WantedKeyChange): Promise<void> {
  const { workspaceId, at, expiresAt } = wanted;
  const name = wanted.name === undefined ? undefined : checkKeyName(wanted.name);
  checkExpiry(expiresAt ?? undefined, at);
  // Every use case that locks both the workspace and the key locks the workspace first. With different
  // orders, two use cases could deadlock.
  if (expiresAt !== undefined) await lockWorkspace(tx, workspaceId);
  const locked = await lockApiKey(tx, wanted);
  const { key } = locked;
  if (expiresAt !== undefined) {
    if (key.revokedAt) throw fail('api_key_not_live');
    if (key.replacedBy !== undefined) refuseLongerLife(key, expiresAt);
    if (getKeyState(key, at) === 'expired') await lockRoomForKey(tx, { workspaceId, at });
  }
  const to = {
    name: name ?? key.name,
    legacyItem: wanted.legacyItem ?? key.legacyItem,
    expiresAt: expiresAt === undefined ? key.expiresAt : (expiresAt ?? undefined),
  };
  const details = describeChange(key, to);
  if (Object.keys(details).length === 0) return;
  await saveApiKey(tx, wanted, { locked, to, action: 'api_key_changed', details });
}

function refuseLongerLife(key: ListedApiKey, wanted: Date | null): void {
  if (wanted && key.expiresAt && wanted <= key.expiresAt) return;
  throw fail('api_key_not_live', {
    errors: { expires_at: ['can only be made earlier: another key has taken its place.'] },
  });
}

type Changed = Pick<ListedApiKey, 'name' | 'legacyItem' | 'expiresAt'>;

function describeChange(from: Changed, to: Changed): Record<string, unknown> {
  const time = (at: Date | undefined) => at?.toISOString() ?? 'never';
  return {
    ...(from.name !== to.name && { name: { from: from.name, to: to.name } }),
    ...(from.legacyItem !== to.legacyItem && { legacy_item: to.legacyItem }),
    ...(time(from.expiresAt) !== time(to.expiresAt) && {
      expires_at: { from: time(from.expiresAt), to: time(to.expiresAt) },
    }),
  };
}

/** Revokes a key. If the key is already revoked, nothing changes. */
export async function revokeApiKey(tx: Tx, target: KeyTarget): Promise<void> {
  const locked = await lockApiKey(tx, target);
  if (locked.key.revokedAt) return;
  await saveApiKey(tx, target, {
    locked,
    to: { revokedAt: target.at },
    action: 'api_key_revoked',
    details: { name: locked.key.name },
  });
}
