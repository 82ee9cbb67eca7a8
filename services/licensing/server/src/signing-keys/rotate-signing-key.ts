// Replaces the signing key of a workspace; the old key stays public during the overlap.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { wholeSecond } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import { announceLicencesChange } from '../workspaces/workspace-changes.ts';
import { createSigningKey, insertSigningKey } from './create-signing-key.ts';
import { selectSigningKeys } from './queries.ts';
import { findCurrentKey, getSigningKeyState } from './signing-key.ts';
import { deleteRetiredKeys, saveSigningTimes } from './store.ts';

const dayMs = 86_400_000;

/** The largest number of public keys, so that the key set stays small. */
const maxPublic = 20;
/** The number of retired keys that are still stored and listed. Older retired keys are deleted. */
const maxRetired = 10;

export const maxNoticeDays = 90;
/** 400 days cover a licence of at most 365 days and its grace period of at most 30 days. */
export const maxOverlapDays = 400;

export interface SigningKeyRotation extends Caller {
  readonly at: Date;
  /** How long the new key is public before it signs. */
  readonly noticeDays: number;
  /** How long the old key stays public after it signed for the last time. */
  readonly overlapDays: number;
}

/**
 * Creates a key that starts to sign after `noticeDays`. If an earlier rotation has created a key that does
 * not sign yet, this rotation creates no key: it changes the time at which that key starts to sign. If the
 * workspace has no key yet, its first key is created and signs at once.
 */
export async function rotateSigningKey(
  tx: Tx,
  masterKey: MasterKey,
  rotation: SigningKeyRotation,
): Promise<void> {
  const { workspaceId, actor, noticeDays, overlapDays } = rotation;
  const at = wholeSecond(rotation.at);
  await lockWorkspace(tx, workspaceId);
  const keys = await selectSigningKeys(tx, workspaceId);
  const current = findCurrentKey(keys, at);
  if (!current) return createSigningKey(tx, masterKey, { workspaceId, actor, at });
  const stateOf = (key: (typeof keys)[number]) => getSigningKeyState(key, { current, now: at });
  if (keys.filter((key) => stateOf(key) !== 'retired').length >= maxPublic)
    throw fail('too_many_signing_keys');
  const signsFrom = new Date(at.getTime() + noticeDays * dayMs);
  const waiting = keys.find((key) => stateOf(key) === 'next');
  const nextId =
    waiting?.id ?? (await insertSigningKey(tx, masterKey, { workspaceId, actor, at, signsFrom }));
  if (waiting) await saveSigningTimes(tx, { ...waiting, signsFrom });
  const publishedUntil = new Date(signsFrom.getTime() + overlapDays * dayMs);
  await saveSigningTimes(tx, { ...current, publishedUntil });
  await deleteRetiredKeys(tx, { workspaceId, now: at, keep: maxRetired });
  await announceLicencesChange(tx, workspaceId);
  await recordAudit(tx, {
    workspaceId,
    actor,
    at: rotation.at,
    action: 'signing_key_rotated',
    subject: { kind: 'signing_key', id: String(current.id) },
    details: { new_signing_key_id: Number(nextId), notice_days: noticeDays, overlap_days: overlapDays },
  });
}
