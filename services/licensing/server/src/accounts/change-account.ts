// Changes the seller's profile, and whether the account may sell.

import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../access-policy.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { announceSellerChange } from '../workspaces/workspace-changes.ts';
import type { Profile } from './account.ts';
import { lockAccount, saveProfile, saveSeller } from './store.ts';

export interface AccountChange extends Caller {
  readonly at: Date;
  readonly to: { readonly [K in keyof Profile]?: Profile[K] | undefined };
}

export async function changeAccount(tx: Tx, change: AccountChange): Promise<void> {
  const { workspaceId, actor, at } = change;
  const from = await lockAccount(tx, workspaceId);
  const given = Object.entries(change.to).filter(([, value]) => value !== undefined);
  const changed = given.filter(([name, value]) => !isDeepStrictEqual(from[name as keyof Profile], value));
  if (changed.length === 0) return;
  await saveProfile(tx, { ...from, ...Object.fromEntries(changed) });
  await recordAudit(tx, {
    workspaceId,
    at,
    actor,
    action: 'account_changed',
    subject: { kind: 'account', id: String(workspaceId) },
    // The audit log is never deleted, so it gets only the names of the changed fields, not personal data.
    details: { fields: changed.map(([name]) => name) },
  });
}

export async function setSeller(
  tx: Tx,
  given: { caller: Caller; isSeller: boolean; now: Date },
): Promise<void> {
  const { isSeller } = given;
  const { workspaceId, actor } = given.caller;
  const before = await lockAccount(tx, workspaceId);
  if (isSeller === before.isSeller) return;
  await saveSeller(tx, { workspaceId, isSeller });
  await announceSellerChange(tx, workspaceId);
  await recordAudit(tx, {
    workspaceId,
    at: given.now,
    actor,
    action: 'seller_set',
    subject: { kind: 'account', id: String(workspaceId) },
    details: { seller: isSeller },
  });
}
