// Creates a workspace together with its account.
import { isCurrency } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { insertWorkspace } from '../workspaces/change-workspace.ts';
import type { Account } from './account.ts';
import { insertAccountRow } from './store.ts';

export interface NewWorkspace {
  readonly name: string;
  readonly supportEnabled?: boolean;
  /** If set, the new workspace is the sandbox of this workspace. */
  readonly sandboxOf?: bigint;
  readonly account: Partial<Omit<Account, 'workspaceId'>> & { currency: string; email: string };
}

export async function createWorkspace(tx: Tx, workspace: NewWorkspace): Promise<bigint> {
  const workspaceId = await insertWorkspace(tx, {
    name: workspace.name,
    supportEnabled: workspace.supportEnabled ?? true,
    sandboxOf: workspace.sandboxOf,
  });
  if (!isCurrency(workspace.account.currency))
    throw new Error(`unknown currency ${workspace.account.currency}`);
  await insertAccountRow(tx, {
    firstname: '',
    lastname: '',
    username: '',
    balanceMinor: 0n,
    heading: '',
    description: '',
    contactEmail: '',
    socialLinks: {},
    avatarUrl: '',
    coverUrl: '',
    isSeller: true,
    registeredAt: new Date(),
    ...workspace.account,
    workspaceId,
  });
  return workspaceId;
}
