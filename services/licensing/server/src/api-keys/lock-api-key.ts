// Locks a key, saves its change with notification and audit line, and counts the keys of a workspace.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ListedApiKey } from '../authentication/api-key.ts';
import { announceApiKeyChange } from '../authentication/find-api-key.ts';
import { fail } from '../errors.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import { unsealApiKey } from './insert-api-key.ts';
import { type ApiKeyChange, countLiveKeys, lockApiKeyRow, saveApiKeyRow } from './store.ts';

/** The key to change, the actor and the time. */
export interface KeyTarget {
  readonly workspaceId: bigint;
  readonly id: bigint;
  readonly actor: Actor;
  readonly at: Date;
}

export interface LockedApiKey {
  readonly key: ListedApiKey;
  readonly keyHash: Buffer;
  readonly keySealed: Buffer;
}

/** A key of another workspace counts as missing. */
export async function lockApiKey(tx: Tx, target: KeyTarget): Promise<LockedApiKey> {
  const locked = await lockApiKeyRow(tx, target);
  if (!locked) throw fail('api_key_not_found');
  return locked;
}

/** Saves the row, notifies every process and records the audit line in one transaction. */
export async function saveApiKey(
  tx: Tx,
  target: KeyTarget,
  change: {
    locked: LockedApiKey;
    to: Partial<ApiKeyChange>;
    action: string;
    details?: Record<string, unknown>;
  },
): Promise<void> {
  await saveApiKeyRow(tx, { ...change.locked.key, ...change.to });
  await announceApiKeyChange(tx, change.locked.keyHash);
  await recordKeyAudit(tx, target, change);
}

export async function recordKeyAudit(
  tx: Tx,
  target: KeyTarget,
  event: { action: string; details?: Record<string, unknown> },
): Promise<void> {
  await recordAudit(tx, {
    workspaceId: target.workspaceId,
    at: target.at,
    actor: target.actor,
    action: event.action,
    subject: { kind: 'api_key', id: String(target.id) },
    details: event.details ?? {},
  });
}

/** Active keys that were not replaced. */
const maxLive = 100;

/** Active keys, with the replaced ones that still work during the overlap of a rotation. */
const maxLiveAndReplaced = 200;

/** Locks the workspace until the transaction ends, so that concurrent requests cannot exceed the limit. */
export async function lockRoomForKey(
  tx: Tx,
  input: { workspaceId: bigint; at: Date; isRotation?: boolean },
): Promise<void> {
  await lockWorkspace(tx, input.workspaceId);
  const { live, replaced } = await countLiveKeys(tx, input.workspaceId, input.at);
  const isFull = live >= maxLiveAndReplaced || (!input.isRotation && live - replaced >= maxLive);
  if (isFull) throw fail('too_many_api_keys');
}

/** The caller must have checked the password again. */
export async function revealApiKey(
  tx: Tx,
  masterKey: MasterKey,
  target: KeyTarget,
): Promise<string> {
  const locked = await lockApiKey(tx, target);
  const details = { name: locked.key.name };
  await recordKeyAudit(tx, target, { action: 'api_key_revealed', details });
  return unsealApiKey(masterKey, locked);
}
