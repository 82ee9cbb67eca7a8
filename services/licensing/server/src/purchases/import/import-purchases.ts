// Imports purchases from a file. A stored purchase that equals its row stays unchanged. A purchase that
// differs from its row is reported or updated.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { asPartOf, type Db } from '@counterfoil/kit/postgres/db';
import { findItems } from '../../items/queries.ts';
import { type ImportCounts, type ImportWatcher, noCounts, runBatches } from '../../transfer/batches.ts';
import type { ReadRow } from '../../transfer/row.ts';
import { hashCode } from '../code.ts';
import { type Hashed, type PurchaseImport, writeBatch } from './import-batch.ts';
import { completePurchase, type PurchaseRow, parsePurchaseRow, type SoldItem } from './purchase-row.ts';
import { createTrialTable } from './store.ts';

/**
 * The number of rows in a batch: large enough to save round trips, and small enough for the time limit of a
 * query.
 */
const defaultBatchSize = 2000;
/** The cache of items is cleared when it has more entries than this. */
const maxCachedItems = 50_000;

/** The state that all batches of an import share. */
interface Import extends PurchaseImport {
  readonly db: Db;
  readonly items: Map<string, SoldItem>;
}

type Options = Omit<PurchaseImport, 'counts' | 'masterKey' | 'onProblem'> & {
  readonly watcher: ImportWatcher;
  readonly batchSize?: number;
};

export async function importPurchases(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  rows: AsyncIterable<ReadRow>,
  options: Options,
): Promise<ImportCounts> {
  if (!options.dryRun) return importRows({ db, masterKey }, rows, options);
  // A dry run imports into a temporary table. So if a code occurs several times in the file, the dry run
  // counts it exactly as the import would.
  return db.transaction(async (tx) => {
    await createTrialTable(tx);
    return importRows({ db: asPartOf(tx), masterKey }, rows, options);
  });
}

async function importRows(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  rows: AsyncIterable<ReadRow>,
  { watcher, batchSize = defaultBatchSize, ...options }: Options,
): Promise<ImportCounts> {
  const counts = noCounts();
  const items: Import['items'] = new Map();
  await runBatches(rows, {
    size: batchSize,
    counts,
    watcher,
    parse: parsePurchaseRow,
    write: (batch, onProblem) => importBatch({ ...options, db, masterKey, counts, items, onProblem }, batch),
  });
  return counts;
}

async function importBatch(work: Import, batch: readonly PurchaseRow[]): Promise<void> {
  const purchases: Hashed[] = [];
  await cacheItems(work, batch);
  for (const row of batch) {
    const item = work.items.get(row.itemId === undefined ? `x${row.itemExternalId}` : `${row.itemId}`);
    const completed = completePurchase(row, item);
    if ('row' in completed) purchases.push({ ...completed, hash: hashText(work.masterKey, row.code) });
    else {
      work.counts.invalid++;
      for (const problem of completed) work.onProblem(problem);
    }
  }
  await work.db.transaction((tx) => writeBatch(tx, work, purchases));
}

const hashText = (masterKey: MasterKey, code: string) => hashCode(masterKey, code).toString('hex');

async function cacheItems({ db, workspaceId, items }: Import, batch: readonly PurchaseRow[]) {
  if (items.size > maxCachedItems) items.clear();
  const ids = new Set<bigint>();
  const externalIds = new Set<string>();
  for (const row of batch) {
    if (row.itemId !== undefined) {
      if (!items.has(`${row.itemId}`)) ids.add(row.itemId);
    } else if (row.itemExternalId !== undefined && !items.has(`x${row.itemExternalId}`))
      externalIds.add(row.itemExternalId);
  }
  if (ids.size + externalIds.size === 0) return;
  const wanted = { workspaceId, ids: [...ids], externalIds: [...externalIds] };
  for (const { id, externalId, currency, publishedAt } of await findItems(db, wanted)) {
    const item = { id, currency, isPublished: publishedAt !== undefined };
    items.set(`${id}`, item);
    if (externalId !== undefined) items.set(`x${externalId}`, item);
  }
}
