// Locks a key, saves its change with notification and audit line, and counts the keys of a workspace.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { announceApiKeyChange } from '../authentication/find-api-key.ts';
import { fail } from '../errors.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import { unsealApiKey } from './insert-api-key.ts';
import {
  type ApiKeyChange,
  countLiveKeys,
  type LockedApiKey,
  lockApiKeyRow,
  saveApiKeyRow,
} from './store.ts';

/** The key to change, the actor and the time. */
export interface KeyTarget extends Caller {
  readonly id: bigint;
  readonly at: Date;
}

/** Locks a key. A key of another workspace gets the same error as a key that does not exist. */
export async function lockApiKey(tx: Tx, target: KeyTarget): Promise<LockedApiKey> {
  const locked = await lockApiKeyRow(tx, target);
  if (!locked) throw fail('api_key_not_found');
  return locked;
}

/** Saves a changed key, notifies every process and records the audit line in one transaction. */
export async function saveApiKey(
  tx: Tx,
  target: KeyTarget,
  change: KeyAudit & { locked: LockedApiKey; to: Partial<ApiKeyChange> },
): Promise<void> {
  await saveApiKeyRow(tx, { ...change.locked.key, ...change.to });
  await announceApiKeyChange(tx, change.locked.keyHash);
  await recordKeyAudit(tx, target, change);
}

interface KeyAudit {
  readonly action: string;
  readonly details: Record<string, unknown>;
}

export async function recordKeyAudit(
  tx: Tx,
  { workspaceId, actor, at, id }: KeyTarget,
  { action, details }: KeyAudit,
): Promise<void> {
  const subject = { kind: 'api_key', id: String(id) };
  await recordAudit(tx, { workspaceId, actor, at, action, subject, details });
}

/** The maximum number of active keys, without replaced keys that still work during an overlap. */
const maxLive = 100;

/** The maximum number of active keys, including replaced keys that still work during an overlap. */
const maxLiveAndReplaced = 200;

/**
 * Throws an error if the workspace has the maximum number of keys. Locks the workspace until the transaction
 * ends, so that concurrent requests cannot exceed the maximum.
 */
export async function lockRoomForKey(
  tx: Tx,
  input: { workspaceId: bigint; at: Date; isRotation?: boolean },
): Promise<void> {
  await lockWorkspace(tx, input.workspaceId);
  const { live, replaced } = await countLiveKeys(tx, input.workspaceId, input.at);
  const isFull = live >= maxLiveAndReplaced || (!input.isRotation && live - replaced >= maxLive);
  if (isFull) throw fail('too_many_api_keys');
}

/** Returns the text of a key. The caller must have checked the person's password. */
export async function revealApiKey(tx: Tx, masterKey: MasterKey, target: KeyTarget): Promise<string> {
  const locked = await lockApiKey(tx, target);
  const details = { name: locked.key.name };
  await recordKeyAudit(tx, target, { action: 'api_key_revealed', details });
  return unsealApiKey(masterKey, locked);
}
