// Generates an API key for a workspace, or imports a key that the seller already has.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import {
  publishableScopes,
  readScopes,
  type Scope,
  testScopes,
  writeScopes,
} from '../authentication/api-key.ts';
import { announceApiKeyChange } from '../authentication/find-api-key.ts';
import { findItem } from '../items/queries.ts';
import { openSandbox } from '../sandbox/open-sandbox.ts';
import { refuseField } from '../wire/refusals.ts';
import { insertApiKey } from './insert-api-key.ts';
import { checkExpiry, checkImportedKey, checkKeyName } from './key-input.ts';
import { lockRoomForKey, recordKeyAudit } from './lock-api-key.ts';

export interface WantedApiKey extends Caller {
  readonly at: Date;
  readonly name: string;
  /**
   * Whether to create a test key. A test key gives access to the sandbox of the workspace, but not to its
   * live data.
   */
  readonly isTest?: boolean;
  /**
   * The kind of the key, which may be omitted. With an item, the only allowed kind is `publishable`. Without
   * an item, it is `secret`; a test key may also be `publishable`.
   */
  readonly kind?: 'secret' | 'publishable' | undefined;
  /**
   * Makes the key publishable and binds it to this item. A publishable test key without an item is bound
   * to the first test item.
   */
  readonly itemId?: bigint | undefined;
  /**
   * The scopes of a secret key. The default is the read scopes; a test key also gets the activation scopes.
   */
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresAt?: Date | undefined;
  /** Whether the key gets the answers that old plug-ins need. */
  readonly legacyItem?: boolean | undefined;
  /** The text of an imported key. */
  readonly secret?: string | undefined;
}

export async function createApiKey(
  tx: Tx,
  masterKey: MasterKey,
  wanted: WantedApiKey,
): Promise<{ id: bigint; secret: string }> {
  const { workspaceId, at, expiresAt, secret, isTest = false, legacyItem = false } = wanted;
  const name = checkKeyName(wanted.name);
  checkExpiry(expiresAt, at);
  if (secret !== undefined) checkImportedKey(secret);
  if (isTest) checkTestKey(wanted);
  await lockRoomForKey(tx, { workspaceId, at });
  const { opens, itemId } = isTest
    ? await findTestWorkspace(tx, masterKey, wanted)
    : { opens: workspaceId, itemId: wanted.itemId };
  const kind = itemId === undefined ? ('secret' as const) : ('publishable' as const);
  checkKind(wanted.kind, kind);
  if (itemId !== undefined) await checkItem(tx, { workspaceId: opens, itemId });
  if (kind === 'publishable' && wanted.scopes) {
    throw refuseField('scopes', 'cannot be set for a publishable key: it can only validate and activate.');
  }
  const defaultScopes = isTest ? testScopes : readScopes;
  const scopes = kind === 'secret' ? [...new Set(wanted.scopes ?? defaultScopes)] : publishableScopes;
  const key = { name, kind, isTest, scopes, itemId, expiresAt, legacyItem, secret };
  const made = await insertApiKey(tx, masterKey, { ...key, workspaceId: opens, createdAt: at });
  await announceApiKeyChange(tx, made.keyHash);
  const target = { workspaceId, actor: wanted.actor, at, id: made.id };
  await recordKeyAudit(tx, target, {
    action: secret === undefined ? 'api_key_created' : 'api_key_imported',
    details: {
      name,
      kind,
      ...(isTest && { mode: 'test' }),
      scopes,
      ...(itemId !== undefined && { item_id: Number(itemId) }),
      ...(expiresAt && { expires_at: expiresAt.toISOString() }),
      ...(legacyItem && { legacy_item: true }),
    },
  });
  return { id: made.id, secret: made.secret };
}

/** Refuses write scopes for a test key, because test data is fixed. */
function checkTestKey(wanted: WantedApiKey): void {
  const writing: readonly Scope[] = writeScopes;
  if (wanted.scopes?.some((scope) => writing.includes(scope))) {
    throw refuseField('scopes', 'of a test key cannot change items or purchases: test data is fixed.');
  }
  if (wanted.secret !== undefined) throw refuseField('mode', 'must be live for an imported key.');
}

async function findTestWorkspace(tx: Tx, masterKey: MasterKey, wanted: WantedApiKey) {
  const sandbox = await openSandbox(tx, masterKey, wanted);
  const first = wanted.kind === 'publishable' ? sandbox.firstItemId : undefined;
  return { opens: sandbox.workspaceId, itemId: wanted.itemId ?? first };
}

/** Checks the requested kind: a request for a publishable key must never be answered with a secret key. */
function checkKind(wanted: WantedApiKey['kind'], kind: 'secret' | 'publishable'): void {
  if (wanted === undefined || wanted === kind) return;
  const sentence =
    wanted === 'publishable' ? 'is required for a publishable key.' : 'is not for secret keys.';
  throw refuseField('item_id', sentence);
}

/** Refuses a draft, an unknown item and an item of another workspace with the same error. */
async function checkItem(tx: Tx, key: { workspaceId: bigint; itemId: bigint }): Promise<void> {
  const item = await findItem(tx, key);
  if (item?.state === 'published') return;
  throw refuseField('item_id', 'must be a published item of this workspace.');
}
