// Replaces a key by a new one; the old key still works during the overlap.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { getKeyState, type Overlap, overlaps } from '../authentication/api-key.ts';
import { announceApiKeyChange } from '../authentication/find-api-key.ts';
import { fail } from '../errors.ts';
import { recordEvent } from '../webhooks/events.ts';
import { insertApiKey } from './insert-api-key.ts';
import { checkExpiry } from './key-input.ts';
import { type KeyTarget, lockApiKey, lockRoomForKey, saveApiKey } from './lock-api-key.ts';

export interface Rotation extends KeyTarget {
  readonly overlap: Overlap;
  /** The expiry of the new key. The default is the expiry of the old key. */
  readonly expiresAt?: Date | undefined;
}

/**
 * Replaces a key by a new key. The new key has the name, the scopes and, by default, the expiry of the old
 * key. The old key never works longer than before. A key can be rotated only once, so if the new key is
 * lost, rotate the new key.
 */
export async function rotateApiKey(
  tx: Tx,
  masterKey: MasterKey,
  rotation: Rotation,
): Promise<{ id: bigint; secret: string; oldExpiresAt: Date }> {
  const { workspaceId, at, overlap } = rotation;
  checkExpiry(rotation.expiresAt, at);
  await lockRoomForKey(tx, { workspaceId, at, isRotation: true });
  const locked = await lockApiKey(tx, rotation);
  const { key } = locked;
  if (getKeyState(key, at) !== 'active' || key.replacedBy !== undefined) {
    throw fail('api_key_not_live');
  }
  const { name, kind, isTest, scopes, itemId, legacyItem } = key;
  const expiresAt = rotation.expiresAt ?? key.expiresAt;
  const same = { workspaceId: key.workspaceId, name, kind, isTest, scopes, itemId, legacyItem };
  const made = await insertApiKey(tx, masterKey, { ...same, expiresAt, createdAt: at });
  await announceApiKeyChange(tx, made.keyHash);
  const overlapEnd = new Date(at.getTime() + overlaps[overlap]);
  const oldExpiresAt = key.expiresAt && key.expiresAt < overlapEnd ? key.expiresAt : overlapEnd;
  await saveApiKey(tx, rotation, {
    locked,
    // Without an overlap, the old key must stop working at once, so it is revoked. An expiry would take
    // effect later in a process whose clock is slow.
    to: { replacedBy: made.id, expiresAt: oldExpiresAt, revokedAt: overlap === '0' ? at : undefined },
    action: 'api_key_rotated',
    details: { name, overlap, new_api_key_id: Number(made.id) },
  });
  await recordEvent(tx, workspaceId, {
    type: 'key.rotated',
    at,
    subject: `api_key:${key.id}`,
    data: {
      api_key_id: Number(key.id),
      new_api_key_id: Number(made.id),
      old_expires_at: presentTime(oldExpiresAt),
    },
  });
  return { id: made.id, secret: made.secret, oldExpiresAt };
}
