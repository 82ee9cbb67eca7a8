// Sales of every kind for a demo seller's items, made by the verbs that sellers use.
import type { Tx } from '@counterfoil/kit/db';
import type { MasterKey } from '@counterfoil/kit/secrets';
import { cancelPurchase, disputePurchase, refundPurchase } from '../purchases/change-purchase.ts';
import { issuePurchase } from '../purchases/issue-purchase.ts';
import type { PurchaseState } from '../purchases/purchase.ts';
import type { SeededItem } from './seed-items.ts';

const dayMs = 86_400_000;

interface Sale {
  readonly daysAgo: number;
  /** Counted from now; negative is past. */
  readonly supportDays?: number;
  readonly extended?: boolean;
  readonly isDownloaded?: boolean;
  readonly state?: PurchaseState;
  readonly buyer?: readonly [name: string, email: string];
}

/** Each goes to the next item in turn. */
const sales: readonly Sale[] = [
  {
    daysAgo: 30,
    supportDays: 150,
    isDownloaded: true,
    buyer: ['Ingrid Holm', 'ingrid@buyer.example'],
  },
  { daysAgo: 12, supportDays: 168, extended: true, buyer: ['Ravi Menon', 'ravi@buyer.example'] },
  {
    daysAgo: 400,
    supportDays: -35,
    isDownloaded: true,
    buyer: ['Ingrid Holm', 'ingrid@buyer.example'],
  },
  { daysAgo: 3, buyer: ['Chloé Martin', 'chloe@buyer.example'] },
  { daysAgo: 90, supportDays: 90, isDownloaded: true, state: 'refunded' },
  { daysAgo: 45, state: 'cancelled' },
  { daysAgo: 20, supportDays: 160, isDownloaded: true, state: 'disputed' },
  { daysAgo: 1, supportDays: 364 },
];

const changes = {
  refunded: refundPurchase,
  cancelled: cancelPurchase,
  disputed: disputePurchase,
} as const;

export async function seedPurchases(
  tx: Tx,
  masterKey: MasterKey,
  given: { workspaceId: bigint; items: readonly SeededItem[]; now: Date },
) {
  const sold = given.items.filter((item) => item.published);
  if (sold.length === 0) return [];
  const seeded = [];
  for (const [index, sale] of sales.entries()) {
    const item = sold[index % sold.length] as SeededItem;
    const code = await seedPurchase(tx, masterKey, { ...given, item, sale });
    seeded.push({
      purchase_code: code,
      item_id: Number(item.id),
      state: sale.state ?? 'active',
      supported: sale.supportDays !== undefined,
    });
  }
  return seeded;
}

async function seedPurchase(
  tx: Tx,
  masterKey: MasterKey,
  given: { workspaceId: bigint; item: SeededItem; sale: Sale; now: Date },
): Promise<string> {
  const { workspaceId, item, sale, now } = given;
  const at = (days: number) => new Date(now.getTime() + days * dayMs);
  const purchasedAt = at(-sale.daysAgo);
  const { id, code } = await issuePurchase(tx, masterKey, {
    workspaceId,
    itemId: item.id,
    licenseType: sale.extended ? 'Extended' : 'Regular',
    priceMinor: item.prices[sale.extended ? 1 : 0],
    currency: item.currency,
    purchasedAt,
    recordedAt: purchasedAt,
    ...(sale.supportDays !== undefined && { supportedUntil: at(sale.supportDays) }),
    ...(sale.isDownloaded && { downloadedAt: at(1 - sale.daysAgo) }),
    ...(sale.buyer && { buyerName: sale.buyer[0], buyerEmail: sale.buyer[1] }),
  });
  if (sale.state !== undefined && sale.state !== 'active') {
    const caller = { workspaceId, actor: {} };
    await changes[sale.state](tx, { caller, purchaseId: id, now });
  }
  return code;
}
