// The answer to a validation as JSON text; the item's part comes ready-made.
import { toJsonNumber } from '@counterfoil/kit/money';
import type { FoundPurchase } from './find-purchase-by-code.ts';

/** Key by key what `presentPurchase` gives; a test holds the two against each other. */
export function writeValidation(given: {
  found: FoundPurchase;
  code: string;
  supportEnabled: boolean;
  /** Whether the purchase stands at the top level too, under `item`, as an old server gave it. */
  legacyItem: boolean;
}): string {
  const { purchase, itemText } = given.found;
  const supported =
    given.supportEnabled && purchase.supportedUntil
      ? `"supported_until":"${purchase.supportedUntil}",`
      : '';
  const text =
    `{"purchase_code":${JSON.stringify(given.code)},"license_type":"${purchase.licenseType}",` +
    `"price":${toJsonNumber(purchase.priceMinor, purchase.currency)},` +
    `"currency":"${purchase.currency}","item":${itemText},${supported}` +
    `"downloaded":${purchase.isDownloaded},"date":"${purchase.purchasedAt}"}`;
  const legacy = given.legacyItem ? `,"item":${text}` : '';
  return `{"status":"success","data":{"purchase":${text}}${legacy}}`;
}
