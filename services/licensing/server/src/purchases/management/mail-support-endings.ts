// Sends the owners of a workspace one mail per day about the purchases whose support ends within seven days,
// and mails the buyers of these purchases if the workspace wants it.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { mailOwners } from '../../mail/mail-owners.ts';
import { listAllWorkspaces } from '../../workspaces/queries.ts';
import type { Workspace } from '../../workspaces/workspace.ts';
import { mailBuyers } from './mail-buyers.ts';
import { markSupportMailed } from './store.ts';

const dayMs = 24 * 3_600_000;
const pageSize = 500;
/** One mail counts at most 10,000 purchases, and lists the first 10 of them. */
const maxCounted = 10_000;
const maxListed = 10;

interface Deps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly mailer?: Mailer | undefined;
  readonly now: () => Date;
}

export async function mailSupportEndings(deps: Deps): Promise<void> {
  const { db, mailer } = deps;
  if (!mailer || mailer.mode === 'off') return;
  for (let after: bigint[] = [], isFull = true; isFull; ) {
    const workspaces = await listAllWorkspaces(db, { after, limit: pageSize });
    for (const workspace of workspaces) {
      if (workspace.supportEnabled) await mailWorkspace({ ...deps, mailer }, workspace);
    }
    isFull = workspaces.length === pageSize;
    after = workspaces.slice(-1).map(({ id }) => id);
  }
}

/**
 * Mails the owners and buyers of one workspace about purchases whose support ends soon. The period ends with
 * the seventh day after today (UTC), so the first run of each day finds the purchases whose support ends on
 * that seventh day. Later runs of the same day find only purchases that were added or changed since the first
 * run.
 */
async function mailWorkspace(deps: Deps & { mailer: Mailer }, workspace: Workspace): Promise<void> {
  const from = deps.now();
  const until = new Date(Math.floor(from.getTime() / dayMs) * dayMs + 8 * dayMs);
  await mailOwnersOfPurchases(deps, workspace, { from, until });
  if (workspace.buyerSupportMail !== 'off') await mailBuyers(deps, workspace, { from, until });
}

async function mailOwnersOfPurchases(
  { db, mailer }: Deps & { mailer: Mailer },
  { id: workspaceId, name }: Workspace,
  { from, until }: { from: Date; until: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    const ending = await markSupportMailed(tx, { workspaceId, from, until, limit: maxCounted });
    if (ending.length === 0) return;
    const purchases = ending.slice(0, maxListed).map(({ id, itemName, supportedUntil }) => ({
      item: itemName,
      id: String(id),
      end: supportedUntil.toISOString(),
    }));
    const url = `${mailer.sender.publicUrl}/w/${workspaceId}/purchases`;
    const values = { workspace: name, count: ending.length, purchases, url };
    await mailOwners(mailer, tx, workspaceId, { kind: 'support_ending', values });
  });
}
