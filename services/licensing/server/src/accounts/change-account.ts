// Changes the seller's public person; the balance has its own way in, with a trail of its own.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { PublicPerson } from './account.ts';
import { getAccount } from './get-account.ts';
import { lockAccountRow, savePublicPerson } from './store.ts';

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
    // Names only: the log is kept for good, and a person's old address has no place in it.
    details: { fields: changed.map(([name]) => name) },
  });
}
