// Brings purchases in by the million: known ones are left alone, differing ones reported or updated.
import type { Db, Tx } from '@counterfoil/kit/db';
import type { MasterKey } from '@counterfoil/kit/secrets';
import { recordAudit } from '../audit/record-audit.ts';
import { findItems } from '../items/find-items.ts';
import {
  type ImportCounts,
  type ImportWatcher,
  noCounts,
  runBatches,
} from '../transfer/batches.ts';
import type { ReadRow } from '../transfer/row.ts';
import { hashCode, makeCodeHint, sealCode } from './code.ts';
import { insertPurchases, overwritePurchase, selectByCodeHashes } from './import-store.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import {
  completePurchase,
  findDifferences,
  type ImportedPurchase,
  type PurchaseRow,
  parsePurchaseRow,
  refuseUpdate,
} from './purchase-row.ts';

/** Large enough that round trips do not count, small enough for the deadline of one query. */
const batchSize = 2000;
/** Sellers have thousands of items; beyond this the memory of them starts anew. */
const maxRememberedItems = 50_000;

export interface ImportOptions {
  readonly workspaceId: bigint;
  /** Overwrite what differs instead of reporting it. */
  readonly update: boolean;
  /** Look and report, write nothing. */
  readonly dryRun: boolean;
  readonly watcher: ImportWatcher;
  readonly now: () => Date;
}

interface Import extends ImportOptions {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly counts: ImportCounts;
  readonly items: Map<string, { id: bigint; currency: string }>;
}

type Hashed = ImportedPurchase & { readonly hash: Buffer };

export async function importPurchases(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  rows: AsyncIterable<ReadRow>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const counts = noCounts();
  const work: Import = { ...options, db, masterKey, counts, items: new Map() };
  await runBatches(rows, {
    size: batchSize,
    counts,
    watcher: options.watcher,
    parse: parsePurchaseRow,
    write: (batch) => importBatch(work, batch),
  });
  return counts;
}

async function importBatch(work: Import, batch: readonly PurchaseRow[]): Promise<void> {
  const purchases: Hashed[] = [];
  await rememberItems(work, batch);
  for (const row of batch) {
    const item = work.items.get(
      row.itemId === undefined ? `x${row.itemExternalId}` : `${row.itemId}`,
    );
    const completed = completePurchase(row, item);
    if ('reason' in completed) {
      work.counts.invalid++;
      work.watcher.onProblem(completed);
    } else purchases.push({ ...completed, hash: hashCode(work.masterKey, completed.code) });
  }
  await work.db.transaction(async (tx) => {
    // Counted on a copy: what is rolled back was not done.
    const before = { ...work.counts };
    try {
      await writeBatch(tx, work, purchases);
    } catch (error) {
      Object.assign(work.counts, before);
      throw error;
    }
  });
}

async function rememberItems({ db, workspaceId, items }: Import, batch: readonly PurchaseRow[]) {
  if (items.size > maxRememberedItems) items.clear();
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
  for (const { id, externalId, currency } of await findItems(db, wanted)) {
    items.set(`${id}`, { id, currency });
    if (externalId !== undefined) items.set(`x${externalId}`, { id, currency });
  }
}

async function writeBatch(tx: Tx, work: Import, purchases: readonly Hashed[]): Promise<void> {
  const { inserted, updated } = work.counts;
  const known = await findKnown(tx, work, purchases);
  const fresh: Hashed[] = [];
  const repeated: Hashed[] = [];
  const seen = new Set<string>();
  for (const row of purchases) {
    const hash = row.hash.toString('base64');
    if (known.has(hash) || seen.has(hash)) repeated.push(row);
    else fresh.push(row);
    seen.add(hash);
  }
  repeated.push(...(await insertFresh(tx, work, fresh)));
  await settleRepeated(tx, work, { repeated, known, fresh });
  const done = {
    inserted: work.counts.inserted - inserted,
    updated: work.counts.updated - updated,
  };
  if (work.dryRun || done.inserted + done.updated === 0) return;
  await recordAudit(tx, {
    workspaceId: work.workspaceId,
    at: work.now(),
    actor: {},
    action: 'purchases_imported',
    subject: { kind: 'import', id: '' },
    details: done,
  });
}

async function findKnown(tx: Tx, work: Import, purchases: readonly Hashed[]) {
  const hashes = purchases.map((row) => row.hash);
  const lock = work.update && !work.dryRun;
  const known = await selectByCodeHashes(tx, { workspaceId: work.workspaceId, hashes, lock });
  return new Map(known.map((each) => [each.codeHash.toString('base64'), each]));
}

/** Those that somebody else inserted at the same moment come back. */
async function insertFresh(tx: Tx, work: Import, fresh: readonly Hashed[]): Promise<Hashed[]> {
  if (work.dryRun || fresh.length === 0) {
    work.counts.inserted += fresh.length;
    return [];
  }
  const rows = fresh.map((row) => ({
    ...row,
    sealed: {
      hash: row.hash,
      sealed: sealCode(work.masterKey, row.code, row.hash),
      hint: makeCodeHint(row.code),
    },
  }));
  const { workspaceId } = work;
  const inserted = await insertPurchases(tx, { workspaceId, at: work.now(), rows });
  work.counts.inserted += inserted.length;
  if (inserted.length === fresh.length) return [];
  const hashes = new Set(inserted.map((hash) => hash.toString('base64')));
  return fresh.filter((row) => !hashes.has(row.hash.toString('base64')));
}

/** Holds rows whose code is there already against what stands under it. */
async function settleRepeated(
  tx: Tx,
  work: Import,
  given: {
    repeated: readonly Hashed[];
    known: Map<string, ManagedPurchase>;
    fresh: readonly Hashed[];
  },
): Promise<void> {
  if (given.repeated.length === 0) return;
  const missing = given.repeated.filter((row) => !given.known.has(row.hash.toString('base64')));
  const later = missing.length > 0 ? await findKnown(tx, work, missing) : new Map();
  for (const row of given.repeated) {
    const hash = row.hash.toString('base64');
    const known = given.known.get(hash) ?? later.get(hash);
    // A dry run has not inserted the first of two rows of one code.
    if (known) await settle(tx, work, { known, row });
    else work.counts.unchanged++;
  }
}

async function settle(
  tx: Tx,
  work: Import,
  { known, row }: { known: ManagedPurchase; row: Hashed },
): Promise<void> {
  const differences = findDifferences(known, row);
  if (differences.length === 0) {
    work.counts.unchanged++;
    return;
  }
  const refusal = refuseUpdate(known, row);
  if (work.update && refusal === undefined) {
    if (!work.dryRun) await overwritePurchase(tx, known, row, work.now());
    work.counts.updated++;
    return;
  }
  work.counts.conflicts++;
  const reason = (work.update && refusal) || 'stands here with another value already.';
  for (const field of work.update ? ['state'] : differences)
    work.watcher.onProblem({ line: row.line, field, reason });
}
