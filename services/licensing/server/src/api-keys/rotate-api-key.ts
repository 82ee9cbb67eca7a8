// Replaces a key by a new one; the old one goes on working for an overlap.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { getKeyState, type Overlap, overlaps } from './api-key.ts';
import { announceApiKeyChange } from './find-api-key.ts';
import { insertApiKey } from './insert-api-key.ts';
import { checkExpiry } from './key-input.ts';
import { lockRoomForKey } from './key-limits.ts';
import { type KeyTarget, lockApiKey, saveApiKey } from './lock-api-key.ts';

export interface Rotation extends KeyTarget {
  readonly overlap: Overlap;
  /** Of the new key; the old one's where not given. */
  readonly expiresAt?: Date | undefined;
}

/**
 * The new key may do what the old one may, under the same name and, unless told otherwise, until
 * the same time. The old one never lives longer by being rotated. A key is rotated once: who lost the new one rotates that.
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
    // Without an overlap it is a revocation, which no clock that is behind can put off.
    to: {
      replacedBy: made.id,
      expiresAt: oldExpiresAt,
      revokedAt: overlap === '0' ? at : undefined,
    },
    action: 'api_key_rotated',
    details: { name, overlap, new_api_key_id: Number(made.id) },
  });
  await recordEvent(tx, workspaceId, {
    ...{ type: 'key.rotated', at, subject: `api_key:${key.id}` },
    data: {
      api_key_id: Number(key.id),
      new_api_key_id: Number(made.id),
      old_expires_at: presentTime(oldExpiresAt),
    },
  });
  return { id: made.id, secret: made.secret, oldExpiresAt };
}
