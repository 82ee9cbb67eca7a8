// Reads of `purchases` by code, many of one workspace at once.
import type { Queryable } from '@counterfoil/kit/db';
import type { LicenseType, PurchaseState } from './purchase.ts';

/** A purchase as validation needs it, with the version of its item's row. */
export interface CodedPurchase {
  readonly id: bigint;
  readonly itemId: bigint;
  readonly itemVersion: string;
  readonly codeSealed: Buffer;
  readonly licenseType: LicenseType;
  readonly priceMinor: bigint;
  readonly currency: string;
  readonly state: PurchaseState;
  readonly supportedUntil: Date | undefined;
  readonly isDownloaded: boolean;
  readonly purchasedAt: Date;
}

interface Row {
  code_hash: string;
  id: bigint;
  item_id: bigint;
  item_version: string;
  code_sealed: Buffer;
  license_type: LicenseType;
  price_minor: bigint;
  currency: string;
  state: PurchaseState;
  supported_until: Date | null;
  is_downloaded: boolean;
  purchased_at: Date;
}

/** Hashes go in and come out as hexadecimal text; one workspace per statement, always. */
export async function selectPurchasesByCode(
  db: Queryable,
  { workspaceId, codeHashes }: { workspaceId: string; codeHashes: readonly string[] },
): Promise<Map<string, CodedPurchase>> {
  const { rows } = await db.query<Row>({
    name: 'select_purchases_by_code',
    text: `select encode(p.code_hash, 'hex') as code_hash, p.id, p.item_id,
             i.xmin::text as item_version, p.code_sealed, p.license_type, p.price_minor,
             p.currency, p.state, p.supported_until, p.downloaded_at is not null as is_downloaded,
             p.purchased_at
           from purchases p join items i on i.workspace_id = p.workspace_id and i.id = p.item_id
           where p.workspace_id = $1 and p.code_hash = any($2::bytea[])`,
    values: [workspaceId, `{${codeHashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`],
  });
  return new Map(rows.map((row) => [row.code_hash, fromRow(row)]));
}

const fromRow = (row: Row): CodedPurchase => ({
  id: row.id,
  itemId: row.item_id,
  itemVersion: row.item_version,
  codeSealed: row.code_sealed,
  licenseType: row.license_type,
  priceMinor: row.price_minor,
  currency: row.currency,
  state: row.state,
  supportedUntil: row.supported_until ?? undefined,
  isDownloaded: row.is_downloaded,
  purchasedAt: row.purchased_at,
});
