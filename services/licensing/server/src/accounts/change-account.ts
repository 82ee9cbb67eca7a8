// Changes the seller's profile, and whether the account may sell.

import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { announceSellerChange } from '../workspaces/workspace-changes.ts';
import type { Profile } from './account.ts';
import { lockAccount, saveAccount } from './store.ts';

export interface AccountChange extends Caller {
  readonly at: Date;
  readonly to: { readonly [K in keyof Profile]?: Profile[K] | undefined };
}

export async function changeAccount(tx: Tx, change: AccountChange): Promise<void> {
  const { workspaceId, actor, at } = change;
  const subject = { kind: 'account', id: String(workspaceId) };
  const from = await lockAccount(tx, workspaceId);
  const given = Object.entries(change.to).filter(([, value]) => value !== undefined);
  const changed = given.filter(([name, value]) => !isDeepStrictEqual(from[name as keyof Profile], value));
  if (changed.length === 0) return;
  await saveAccount(tx, { ...from, ...Object.fromEntries(changed) });
  // The audit log is never deleted, so it contains only the names of the changed fields and no personal data.
  const details = { fields: changed.map(([name]) => name) };
  await recordAudit(tx, { workspaceId, actor, at, action: 'account_changed', subject, details });
}

export async function setSeller(
  tx: Tx,
  given: { caller: Caller; isSeller: boolean; now: Date },
): Promise<void> {
  const { caller, isSeller, now: at } = given;
  const { workspaceId } = caller;
  const before = await lockAccount(tx, workspaceId);
  if (isSeller === before.isSeller) return;
  await saveAccount(tx, { ...before, isSeller });
  await announceSellerChange(tx, workspaceId);
  const subject = { kind: 'account', id: String(workspaceId) };
  await recordAudit(tx, { ...caller, at, action: 'seller_set', subject, details: { seller: isSeller } });
}
