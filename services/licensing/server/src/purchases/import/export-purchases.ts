// Exports the purchases of a workspace, oldest first, with one page in memory at a time.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import { formatMinor } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { OutRow } from '../../transfer/write-rows.ts';
import { unsealCode } from '../code.ts';
import type { ManagedPurchase } from '../management/managed-purchase.ts';
import { selectPurchasesAfter } from '../management/queries.ts';

const pageSize = 1000;

const rest = [
  'item_id',
  'license_type',
  'price',
  'currency',
  'state',
  'date',
  'supported_until',
  'downloaded',
  'buyer_name',
  'buyer_email',
];

/**
 * Returns the columns. The column of codes is called `code_hint` if the codes are shortened, because a file
 * with shortened codes cannot be imported again.
 */
export const purchaseExportColumns = (withCodes: boolean): readonly string[] => [
  withCodes ? 'code' : 'code_hint',
  ...rest,
];

export async function* exportPurchases(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  options: { workspaceId: bigint; withCodes: boolean },
): AsyncGenerator<OutRow> {
  const { workspaceId } = options;
  for (let afterId = 0n; ; ) {
    const page = await selectPurchasesAfter(db, { workspaceId, afterId, limit: pageSize });
    for (const purchase of page) {
      const code = options.withCodes
        ? { code: unsealCode(masterKey, purchase.codeSealed, purchase.codeHash) }
        : { code_hint: purchase.codeHint };
      yield { ...code, ...presentRow(purchase) };
    }
    const last = page.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

const presentRow = (purchase: ManagedPurchase): OutRow => ({
  item_id: Number(purchase.itemId),
  license_type: purchase.licenseType,
  price: formatMinor(purchase.priceMinor, purchase.currency),
  currency: purchase.currency,
  state: purchase.state,
  date: presentTime(purchase.purchasedAt),
  supported_until: purchase.supportedUntil ? presentTime(purchase.supportedUntil) : '',
  downloaded: purchase.downloadedAt !== undefined,
  buyer_name: purchase.buyerName ?? '',
  buyer_email: purchase.buyerEmail ?? '',
});
