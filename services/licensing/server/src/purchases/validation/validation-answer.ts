// Writes the answer of a validation as JSON text around the cached text of the item.
import { toJsonNumber } from '@counterfoil/kit/money';
import type { FoundPurchase } from './queries.ts';

/** Writes a JSON text with the fields of `PurchaseAnswer`. */
export function writeValidation(given: {
  found: FoundPurchase;
  code: string;
  supportEnabled: boolean;
  /** Whether to add the purchase under a top-level `item`, as the old server did. */
  legacyItem: boolean;
}): string {
  const { purchase, itemText } = given.found;
  const supported =
    given.supportEnabled && purchase.supportedUntil ? `"supported_until":"${purchase.supportedUntil}",` : '';
  const write = (item: string, more: string) =>
    `{"purchase_code":${JSON.stringify(given.code)},"license_type":"${purchase.licenseType}",` +
    `"price":${toJsonNumber(purchase.priceMinor, purchase.currency)},` +
    `"currency":"${purchase.currency}","item":${item},${supported}` +
    `"downloaded":${purchase.isDownloaded},"date":"${purchase.purchasedAt}"${more}}`;
  if (!given.legacyItem) return `{"status":"success","data":{"purchase":${write(itemText, '')}}}`;
  const sold = `,"purchased_at":"${purchase.purchasedAt}"`;
  return (
    `{"status":"success","data":{"purchase":${write(itemText, sold)}},` +
    `"item":${write(writeLegacyItem(itemText), sold)}}`
  );
}

interface ItemText {
  readonly demo_link: string;
  readonly media: Readonly<Record<string, unknown>> & {
    readonly thumbnail: string;
    readonly preview_image?: string;
  };
}

/**
 * Presents the item in the form that published clients read (docs/reference/old-clients.md). This form has a
 * `url`, and a picture for every kind of item. An Android app fails if a field is missing or if the address
 * of a picture is empty.
 */
function writeLegacyItem(itemText: string): string {
  const item = JSON.parse(itemText) as ItemText;
  const { demo_link: url, media } = item;
  const picture = media.preview_image || media.thumbnail;
  return JSON.stringify({ ...item, url, media: { ...media, preview_image: picture } });
}
