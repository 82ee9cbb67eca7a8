// Creates sales of every kind for a demo seller, through the use cases that sellers use.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { cancelPurchase, disputePurchase, refundPurchase } from '../purchases/management/change-purchase.ts';
import { issuePurchase } from '../purchases/management/issue-purchase.ts';
import type { PurchaseState } from '../purchases/purchase.ts';
import type { SeededItem } from './seed-items.ts';

const dayMs = 86_400_000;

interface Sale {
  readonly daysAgo: number;
  /** The days from now until support ends; negative if support has ended. */
  readonly supportDays?: number;
  readonly extended?: boolean;
  readonly isDownloaded?: boolean;
  readonly state?: PurchaseState;
  /** How many days ago the purchase changed to `state`. */
  readonly changedDaysAgo?: number;
  readonly buyer?: readonly [name: string, email: string];
}

const ingrid = ['Ingrid Holm', 'ingrid@buyer.example'] as const;

/**
 * The sales. Each sale is of the next item of the seller; after the last item, the first item is sold again.
 */
const sales: readonly Sale[] = [
  { daysAgo: 30, supportDays: 150, isDownloaded: true, buyer: ingrid },
  { daysAgo: 12, supportDays: 168, extended: true, buyer: ['Ravi Menon', 'ravi@buyer.example'] },
  { daysAgo: 400, supportDays: -35, isDownloaded: true, buyer: ingrid },
  { daysAgo: 3, buyer: ['Chloé Martin', 'chloe@buyer.example'] },
  { daysAgo: 90, supportDays: 90, isDownloaded: true, state: 'refunded', changedDaysAgo: 84 },
  { daysAgo: 45, state: 'cancelled', changedDaysAgo: 44 },
  { daysAgo: 20, supportDays: 160, isDownloaded: true, state: 'disputed', changedDaysAgo: 6 },
  { daysAgo: 1, supportDays: 364 },
];

const changes = { refunded: refundPurchase, cancelled: cancelPurchase, disputed: disputePurchase } as const;

interface Given {
  readonly workspaceId: bigint;
  readonly items: readonly SeededItem[];
  readonly now: Date;
}

const daysFrom = (now: Date, days: number) => new Date(now.getTime() + days * dayMs);

/**
 * Creates the sales in chronological order, so that the order of ids and of the audit log is the order of the
 * sales.
 */
export async function seedPurchases(tx: Tx, masterKey: MasterKey, given: Given) {
  const sold = given.items.filter((item) => item.published);
  if (sold.length === 0) return [];
  const seeded = sales.map((sale, index) => {
    const item = sold[index % sold.length] as SeededItem;
    return { sale, item, id: 0n, code: '' };
  });
  const issues = seeded.map((each) => ({
    daysAgo: each.sale.daysAgo,
    run: async () => void Object.assign(each, await issue(tx, masterKey, { ...given, ...each })),
  }));
  const ends = seeded.map((each) => ({
    daysAgo: each.sale.changedDaysAgo ?? 0,
    run: () => settle(tx, { ...given, ...each }),
  }));
  const events = [...issues, ...ends].sort((a, b) => b.daysAgo - a.daysAgo);
  for (const { run } of events) await run();
  return seeded.map(({ sale, item, code }) => ({
    purchase_code: code,
    item_id: Number(item.id),
    state: sale.state ?? 'active',
    supported: sale.supportDays !== undefined,
  }));
}

function issue(
  tx: Tx,
  masterKey: MasterKey,
  given: Given & { item: SeededItem; sale: Sale },
): Promise<{ id: bigint; code: string }> {
  const { workspaceId, item, sale, now } = given;
  const purchasedAt = daysFrom(now, -sale.daysAgo);
  return issuePurchase(tx, masterKey, {
    workspaceId,
    itemId: item.id,
    licenseType: sale.extended ? 'Extended' : 'Regular',
    priceMinor: item.prices[sale.extended ? 1 : 0],
    currency: item.currency,
    purchasedAt,
    recordedAt: purchasedAt,
    ...(sale.supportDays !== undefined && { supportedUntil: daysFrom(now, sale.supportDays) }),
    ...(sale.isDownloaded && { downloadedAt: daysFrom(now, 1 - sale.daysAgo) }),
    ...(sale.buyer && { buyerName: sale.buyer[0], buyerEmail: sale.buyer[1] }),
  });
}

async function settle(tx: Tx, given: Given & { sale: Sale; id: bigint }): Promise<void> {
  const { sale, workspaceId } = given;
  if (sale.state === undefined || sale.state === 'active') return;
  const now = daysFrom(given.now, -(sale.changedDaysAgo ?? 0));
  const caller = { workspaceId, actor: {} };
  await changes[sale.state](tx, { caller, purchaseId: given.id, now });
}
