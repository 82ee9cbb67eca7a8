// Reads of `purchases` by code, many of one workspace at once.
import type { Queryable } from '@counterfoil/kit/db';
import { sealedIfMixedCase } from './code.ts';
import type { LicenseType, PurchaseState } from './purchase.ts';

/** A purchase as validation needs it, with the version of its item's row; times are texts. */
export interface CodedPurchase {
  readonly id: bigint;
  readonly itemId: bigint;
  readonly itemVersion: string;
  readonly sealedIfMixedCase: Buffer | undefined;
  readonly licenseType: LicenseType;
  readonly priceMinor: bigint;
  readonly currency: string;
  readonly state: PurchaseState;
  readonly supportedUntil: string | undefined;
  readonly isDownloaded: boolean;
  readonly purchasedAt: string;
}

interface Row {
  code_hash: string;
  id: bigint;
  item_id: bigint;
  item_version: string;
  code_sealed: Buffer | null;
  license_type: LicenseType;
  price_minor: bigint;
  currency: string;
  state: PurchaseState;
  supported_until: string | null;
  is_downloaded: boolean;
  purchased_at: string;
}

/** Written by the database as the answer has it: reading a time and writing it again costs more. */
const timeText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const text = `select encode(p.code_hash, 'hex') as code_hash, p.id, p.item_id,
    i.xmin::text as item_version, ${sealedIfMixedCase('p.code_sealed')} as code_sealed,
    p.license_type, p.price_minor, p.currency, p.state,
    ${timeText('p.supported_until')} as supported_until,
    p.downloaded_at is not null as is_downloaded, ${timeText('p.purchased_at')} as purchased_at
  from purchases p join items i on i.workspace_id = p.workspace_id and i.id = p.item_id
  where p.workspace_id = $1 and p.code_hash = any($2::bytea[])`;

/** Hashes go in and come out as hexadecimal text; one workspace per statement, always. */
export async function selectPurchasesByCode(
  db: Queryable,
  { workspaceId, codeHashes }: { workspaceId: string; codeHashes: readonly string[] },
): Promise<Map<string, CodedPurchase>> {
  const { rows } = await db.query<Row>({
    name: 'select_purchases_by_code',
    text,
    values: [workspaceId, `{"\\\\x${codeHashes.join('","\\\\x')}"}`],
  });
  return new Map(rows.map((row) => [row.code_hash, fromRow(row)]));
}

const fromRow = (row: Row): CodedPurchase => ({
  id: row.id,
  itemId: row.item_id,
  itemVersion: row.item_version,
  sealedIfMixedCase: row.code_sealed ?? undefined,
  licenseType: row.license_type,
  priceMinor: row.price_minor,
  currency: row.currency,
  state: row.state,
  supportedUntil: row.supported_until ?? undefined,
  isDownloaded: row.is_downloaded,
  purchasedAt: row.purchased_at,
});
