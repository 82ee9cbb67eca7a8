// Changes the seller's profile, and whether the account may sell.

import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../access-policy.ts';
import type { Actor } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { announceSellerChange } from '../workspaces/workspace-changes.ts';
import type { PublicPerson } from './account.ts';
import { getAccount } from './queries.ts';
import { lockAccount, lockAccountRow, savePublicPerson, saveSeller } from './store.ts';

export interface AccountChange {
  readonly workspaceId: bigint;
  readonly actor: Actor;
  readonly at: Date;
  readonly to: { readonly [K in keyof PublicPerson]?: PublicPerson[K] | undefined };
}

export async function changeAccount(tx: Tx, change: AccountChange): Promise<void> {
  const { workspaceId, actor, at } = change;
  await lockAccountRow(tx, workspaceId);
  const from = await getAccount(tx, workspaceId);
  const given = Object.entries(change.to).filter(([, value]) => value !== undefined);
  const changed = given.filter(([name, value]) => {
    return !isDeepStrictEqual(from[name as keyof PublicPerson], value);
  });
  if (changed.length === 0) return;
  await savePublicPerson(tx, { ...from, ...Object.fromEntries(changed) });
  await recordAudit(tx, {
    workspaceId,
    at,
    actor,
    action: 'account_changed',
    subject: { kind: 'account', id: String(workspaceId) },
    // Field names only: the log is never deleted, so it must not hold a person's old address.
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
  if (!before) throw new Error(`workspace ${workspaceId} has no account`);
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
