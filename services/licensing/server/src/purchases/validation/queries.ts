// Finds purchases by the hash of their code; concurrent requests of one workspace share a query.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { createItemTexts } from '../../items/item-texts.ts';
import { sealedIfMixedCase } from '../code.ts';
import { type LicenseType, type PurchaseState, publicStateOf } from '../purchase.ts';

/** The fields of a purchase that validation needs, and the version of its item. Times are texts. */
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

/**
 * The database formats times in the form of the answer. Parsing and formatting the times here would cost
 * more.
 */
const timeText = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/**
 * Separates the fields of a record. No field contains this character: all fields are numbers, hex digits,
 * times or fixed words.
 */
const unitSeparator = '\u001f';

const recordSeparator = '\u001e';

/** The fields in the order in which `parseRecord` reads them. A missing value is an empty text. */
const fields = [
  `encode(p.code_hash, 'hex')`,
  'p.id',
  'p.item_id',
  'i.xmin',
  `coalesce(encode(${sealedIfMixedCase('p.code_sealed')}, 'hex'), '')`,
  'p.license_type',
  'p.price_minor',
  'p.currency',
  publicStateOf('p'),
  `coalesce(${timeText('p.supported_until')}, '')`,
  `(p.downloaded_at is not null)::int`,
  timeText('p.purchased_at'),
];

/**
 * Selects all records as one text. With one column per field, most of the query's cost would be the driver's
 * work for each field.
 *
 * The item of each purchase is looked up by itself (`offset 0`). With a plain join, PostgreSQL merged the
 * purchases with all items of the workspace up to the newest one that was found.
 */
const text = `select string_agg(concat_ws(chr(31), ${fields.join(', ')}), chr(30)) as records
  from purchases p cross join lateral (
    select xmin from items where workspace_id = $1 and id = p.item_id and published_at is not null offset 0
  ) i
  where p.workspace_id = $1 and p.code_hash = any($2::bytea[])`;

/**
 * Finds purchases of one workspace by the hex texts of their code hashes. A code of a never-published item is
 * not found, because the item may lack pictures and a date that the answer must contain.
 */
export async function selectPurchasesByCode(
  db: Queryable,
  { workspaceId, codeHashes }: { workspaceId: string; codeHashes: readonly string[] },
): Promise<Map<string, CodedPurchase>> {
  const { rows } = await db.query<{ records: string | null }>({
    name: 'select_purchases_by_code',
    text,
    values: [workspaceId, `{"\\\\x${codeHashes.join('","\\\\x')}"}`],
  });
  const found = new Map<string, CodedPurchase>();
  const records = rows[0]?.records ?? '';
  if (records === '') return found;
  for (const record of records.split(recordSeparator)) {
    const values = record.split(unitSeparator);
    found.set(values[0] ?? '', parseRecord(values));
  }
  return found;
}

/** Reads the values by their position: collecting the rest of an array in a new array costs more. */
function parseRecord(values: readonly string[]): CodedPurchase {
  const sealed = values[4] ?? '';
  return {
    id: BigInt(values[1] ?? ''),
    itemId: BigInt(values[2] ?? ''),
    itemVersion: values[3] ?? '',
    sealedIfMixedCase: sealed === '' ? undefined : Buffer.from(sealed, 'hex'),
    licenseType: values[5] as LicenseType,
    priceMinor: BigInt(values[6] ?? ''),
    currency: values[7] ?? '',
    state: values[8] as PurchaseState,
    supportedUntil: values[9] || undefined,
    isDownloaded: values[10] === '1',
    purchasedAt: values[11] ?? '',
  };
}

export interface FoundPurchase {
  readonly purchase: CodedPurchase;
  /** The item as JSON text for the answer. */
  readonly itemText: string;
}

/**
 * Returns undefined for an unknown code and for a code of another workspace. Both cases run the same
 * statements, so the response time does not tell them apart.
 */
export type PurchaseFinder = (workspaceId: bigint, codeHash: string) => Promise<FoundPurchase | undefined>;

/**
 * The maximum number of codes in one query. It is enough for all connections of a busy process, and keeps the
 * query short.
 */
const maxBatch = 256;

export function createPurchaseFinder(db: Queryable): PurchaseFinder {
  const getItemTexts = createItemTexts(db);
  const find = createCoalescer<string, FoundPurchase>({
    maxBatch,
    maxInFlight: 2,
    load: async (workspaceId, codeHashes) => {
      const found = await selectPurchasesByCode(db, { workspaceId, codeHashes });
      const texts = await getItemTexts(BigInt(workspaceId), [...found.values()]);
      return codeHashes.map((hash) => {
        const purchase = found.get(hash);
        const itemText = purchase && texts.get(purchase.itemId);
        return purchase && itemText !== undefined ? { purchase, itemText } : undefined;
      });
    },
  });
  return (workspaceId, codeHash) => find(String(workspaceId), codeHash);
}
