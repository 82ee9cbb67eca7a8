// Creates the first signing key of a workspace.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { wholeSecond } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockWorkspaceOfKey } from '../workspaces/change-workspace.ts';
import { announceLicencesChange } from '../workspaces/workspace-changes.ts';
import { selectSigningKeys } from './queries.ts';
import { makeSigningKey } from './signing-key.ts';
import { insertSigningKeyRow } from './store.ts';

/**
 * Creates a key if the workspace has none. The workspace is locked, so two concurrent calls create only one
 * key.
 */
export async function createSigningKey(
  tx: Tx,
  masterKey: MasterKey,
  { at, ...caller }: Caller & { readonly at: Date },
): Promise<void> {
  const { workspaceId } = caller;
  await lockWorkspaceOfKey(tx, workspaceId);
  if ((await selectSigningKeys(tx, workspaceId)).length > 0) return;
  await insertSigningKey(tx, masterKey, { ...caller, at, signsFrom: at });
}

/** Inserts a key with its audit line. The caller must have locked the workspace. */
export async function insertSigningKey(
  tx: Tx,
  masterKey: MasterKey,
  { workspaceId, actor, at, signsFrom }: Caller & { readonly at: Date; readonly signsFrom: Date },
): Promise<bigint> {
  const made = makeSigningKey(masterKey, workspaceId);
  const times = { createdAt: wholeSecond(at), signsFrom: wholeSecond(signsFrom) };
  const id = await insertSigningKeyRow(tx, { ...made, ...times });
  await announceLicencesChange(tx, workspaceId);
  const subject = { kind: 'signing_key', id: String(id) };
  const details = { kid: made.kid };
  await recordAudit(tx, { workspaceId, actor, at, action: 'signing_key_created', subject, details });
  return id;
}
