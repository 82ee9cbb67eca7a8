// Mails the buyers of a workspace whose support ends within seven days, if the workspace wants it.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { countWaitingMail } from '@counterfoil/mail/outbox/queries';
import type { Workspace } from '../../workspaces/workspace.ts';
import { type BuyerToMail, lockBuyersToMail, saveBuyersMailed } from './store.ts';
import { makeUnsubscribeToken } from './unsubscribe-token.ts';

const batchSize = 50;
/**
 * The maximum number of messages to buyers that a workspace has in the queue when it adds a batch. While the
 * mail server is unavailable, the queue therefore has room for messages to the owners.
 */
const maxWaiting = 200;
/** The maximum number of purchases that one run reads. The next run continues. */
const maxPerRun = 1000;

interface Deps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly mailer: Mailer;
}

interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** The progress of a run. */
interface Progress {
  /** The last purchase that was read. */
  readonly afterId: bigint;
  /**
   * The e-mail addresses that get no further message in this run, because of a limit of the mailer. Their
   * purchases are not read again: a buyer with many purchases must not hold back the mails to other buyers.
   */
  readonly limited: Set<string>;
}

/**
 * A purchase whose message was not queued, because of a limit of the mailer, is found again by the next run.
 */
export async function mailBuyers(deps: Deps, workspace: Workspace, period: Period): Promise<void> {
  const limited = new Set<string>();
  let afterId = 0n;
  for (let read = 0; read < maxPerRun; read += batchSize) {
    const batch = { workspace, afterId, limited, ...period };
    const last = await deps.db.transaction((tx) => mailBatch(tx, deps, batch));
    if (last === undefined) return;
    afterId = last;
  }
}

/** Mails the next buyers. Returns the last purchase, or undefined if no further purchase is to be mailed. */
async function mailBatch(
  tx: Tx,
  deps: Deps,
  { workspace, limited, ...wanted }: Period & Progress & { workspace: Workspace },
): Promise<bigint | undefined> {
  const { id: workspaceId } = workspace;
  if ((await countWaitingMail(tx, workspaceId)) >= maxWaiting) return undefined;
  const read = { workspaceId, ...wanted, except: [...limited], limit: batchSize };
  const purchases = await lockBuyersToMail(tx, read);
  const ids: bigint[] = [];
  for (const purchase of purchases) {
    if (limited.has(purchase.buyerEmail)) continue;
    if (await queueMail(tx, deps, workspace, purchase)) ids.push(purchase.id);
    else limited.add(purchase.buyerEmail);
  }
  await saveBuyersMailed(tx, { workspaceId, ids });
  return purchases.length === batchSize ? purchases.at(-1)?.id : undefined;
}

async function queueMail(
  tx: Tx,
  { masterKey, mailer }: Deps,
  { id: workspaceId, name, buyerSupportMail: language }: Workspace,
  { id: purchaseId, itemName, supportedUntil, buyerEmail: email }: BuyerToMail,
): Promise<boolean> {
  if (language === 'off') return false;
  const { publicUrl } = mailer.sender;
  const token = makeUnsubscribeToken(masterKey, { workspaceId, purchaseId, email });
  const values = {
    workspace: name,
    item: itemName,
    end: supportedUntil.toISOString(),
    url: `${publicUrl}/buyers?seller=${workspaceId}`,
    // Browsers do not send the part after #, so the token is in no access log and no Referer.
    unsubscribeUrl: `${publicUrl}/buyers#unsubscribe=${token}`,
  };
  const content = { kind: 'buyer_support_ending', values } as const;
  const mail = { tenantId: workspaceId, to: email, language, content, expiresAt: supportedUntil };
  return (await mailer.queue(tx, mail)) === 'queued';
}
