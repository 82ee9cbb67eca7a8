// Inserts a workspace, and changes its name, its support, its mail to buyers and the vendors whose clients it
// serves.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { refuseField } from '../wire/refusals.ts';
import { getWorkspace } from './queries.ts';
import { insertWorkspaceRow, lockWorkspaceRow, saveWorkspaceRow } from './store.ts';
import { type BuyerSupportMail, type Vendor, vendors } from './workspace.ts';
import { announceSellerChange } from './workspace-changes.ts';

export interface WorkspaceChange extends Caller {
  readonly at: Date;
  readonly name?: string | undefined;
  readonly supportEnabled?: boolean | undefined;
  readonly supportMonths?: number | undefined;
  readonly vendorClients?: readonly Vendor[] | undefined;
  readonly buyerSupportMail?: BuyerSupportMail | undefined;
}

export async function changeWorkspace(tx: Tx, change: WorkspaceChange): Promise<void> {
  const { workspaceId, actor, at } = change;
  await lockWorkspace(tx, workspaceId);
  const from = await getWorkspace(tx, workspaceId);
  const name = change.name?.trim() ?? from.name;
  if (name === '') throw refuseField('name', 'must not be empty.');
  const supportEnabled = change.supportEnabled ?? from.supportEnabled;
  const supportMonths = change.supportMonths ?? from.supportMonths;
  const wanted = change.vendorClients ?? from.vendorClients;
  const vendorClients = vendors.filter((vendor) => wanted.includes(vendor));
  const buyerSupportMail = change.buyerSupportMail ?? from.buyerSupportMail;
  const details = {
    ...(name !== from.name && { name: { from: from.name, to: name } }),
    ...(supportEnabled !== from.supportEnabled && { support_enabled: supportEnabled }),
    ...(supportMonths !== from.supportMonths && {
      support_months: { from: from.supportMonths, to: supportMonths },
    }),
    ...(vendorClients.join() !== from.vendorClients.join() && {
      vendor_clients: { from: from.vendorClients, to: vendorClients },
    }),
    ...(buyerSupportMail !== from.buyerSupportMail && {
      buyer_support_mail: { from: from.buyerSupportMail, to: buyerSupportMail },
    }),
  };
  if (Object.keys(details).length === 0) return;
  const to = { name, supportEnabled, supportMonths, vendorClients, buyerSupportMail };
  await saveWorkspaceRow(tx, { id: workspaceId, ...to });
  await announceSellerChange(tx, workspaceId);
  const subject = { kind: 'workspace', id: String(workspaceId) };
  await recordAudit(tx, { workspaceId, actor, at, action: 'workspace_changed', subject, details });
}

/** Inserts a workspace without an account. `createWorkspace` in `accounts/` also inserts the account. */
export const insertWorkspace = insertWorkspaceRow;

/** Locks a workspace that is no sandbox. A sandbox is answered like a workspace that does not exist. */
export async function lockWorkspace(tx: Tx, workspaceId: bigint): Promise<void> {
  if (!(await lockWorkspaceRow(tx, workspaceId, 'live'))) throw fail('workspace_not_found');
}

/** Locks the workspace of an API key, which is a sandbox if the key is a test key. */
export async function lockWorkspaceOfKey(tx: Tx, workspaceId: bigint): Promise<void> {
  if (!(await lockWorkspaceRow(tx, workspaceId, 'any'))) throw fail('workspace_not_found');
}
