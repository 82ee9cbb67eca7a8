// Mails the owners of a workspace about purchases whose support ends within seven days, usually once a day.
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { mailOwners } from '../../mail/mail-owners.ts';
import { listAllWorkspaces } from '../../workspaces/queries.ts';
import { markSupportMailed } from './store.ts';

const dayMs = 24 * 3_600_000;
const pageSize = 500;
/** One mail counts at most 10,000 purchases, and lists the first 10 of them. */
const maxCounted = 10_000;
const maxListed = 10;

interface Deps {
  readonly db: Db;
  readonly mailer?: Mailer | undefined;
  readonly now: () => Date;
}

export async function mailSupportEndings(deps: Deps): Promise<void> {
  const { db, mailer, now } = deps;
  if (!mailer || mailer.mode === 'off') return;
  for (let after: bigint[] = [], isFull = true; isFull; ) {
    const workspaces = await listAllWorkspaces(db, { after, limit: pageSize });
    for (const workspace of workspaces) {
      if (workspace.supportEnabled) await mailWorkspace({ db, mailer, now }, workspace);
    }
    isFull = workspaces.length === pageSize;
    after = workspaces.slice(-1).map(({ id }) => id);
  }
}

/**
 * Mails the owners of one workspace about purchases whose support ends soon. The period ends with the
 * seventh day after today (UTC), so the first run of each day finds the purchases whose support ends on that
 * seventh day. Later runs of the same day find only purchases that were added or changed since the first run.
 */
async function mailWorkspace(
  { db, mailer, now }: Deps & { mailer: Mailer },
  { id: workspaceId, name }: { id: bigint; name: string },
): Promise<void> {
  const from = now();
  const until = new Date(Math.floor(from.getTime() / dayMs) * dayMs + 8 * dayMs);
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
