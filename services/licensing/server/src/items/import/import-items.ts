// Imports items from a file. A stored item that equals its row stays unchanged. An item that differs from its
// row is reported or updated.
import { isSameSecond } from '@counterfoil/kit/http/answers';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { type ImportCounts, type ImportWatcher, noCounts, runBatches } from '../../transfer/batches.ts';
import { lockImports } from '../../transfer/lock-imports.ts';
import type { ReadRow, RowProblem } from '../../transfer/row.ts';
import type { Item } from '../item.ts';
import { isNewer } from '../item-version.ts';
import { changeItem } from '../management/change-item.ts';
import { createItem, fillItem } from '../management/create-item.ts';
import { findMissing, findNewlyMissing } from '../management/managed-item.ts';
import { findVersion } from '../management/queries.ts';
import { insertVersion } from '../management/store.ts';
import { findItems } from '../queries.ts';
import { type ItemRow, itemColumns, parseItemRow } from './item-row.ts';

const batchSize = 200;

export interface ImportOptions {
  readonly workspaceId: bigint;
  readonly workspaceCurrency: string;
  readonly update: boolean;
  readonly dryRun: boolean;
  readonly watcher: ImportWatcher;
  readonly now: () => Date;
}

type Import = Omit<ImportOptions, 'watcher'> & {
  readonly counts: ImportCounts;
  readonly onProblem: (problem: RowProblem) => void;
  /**
   * The items that a dry run would write, by id and by external id. Later rows of the file are compared with
   * these items.
   */
  readonly trial: Map<string, Item>;
};

export async function importItems(
  db: Db,
  rows: AsyncIterable<ReadRow>,
  { watcher, ...options }: ImportOptions,
): Promise<ImportCounts> {
  const counts = noCounts();
  const trial: Import['trial'] = new Map();
  await runBatches(rows, {
    size: batchSize,
    counts,
    watcher,
    parse: (row) => parseItemRow(row, options),
    write: (batch, onProblem) =>
      db.transaction(async (tx) => {
        if (!options.dryRun) await lockImports(tx, options.workspaceId);
        for (const row of batch) await importItem(tx, { ...options, counts, onProblem, trial }, row);
      }),
  });
  return counts;
}

async function importItem(tx: Tx, work: Import, row: ItemRow): Promise<void> {
  const { workspaceId } = work;
  const known = work.trial.get(trialKey(row)) ?? (await findKnown(tx, work, row));
  if (known) return settleKnown(tx, work, { known, row });
  if (row.id !== undefined)
    return report(work, row, 'invalid', ['id'], 'names an item that does not exist in this workspace.');
  const item = fillItem({ ...row.item, workspaceId }, work.now());
  const missing = item.state === 'draft' ? [] : toColumns(findMissing(item));
  if (missing.length > 0) return report(work, row, 'invalid', missing, 'is needed by a published item.');
  if (work.dryRun) rememberTrial(work, { ...item, id: 0n });
  else await createItem(tx, { ...row.item, workspaceId }, work.now());
  work.counts.inserted++;
}

async function findKnown(tx: Tx, { workspaceId }: Import, row: ItemRow) {
  const { externalId } = row.item;
  const [known] = await findItems(tx, {
    workspaceId,
    ids: row.id === undefined ? [] : [row.id],
    externalIds: row.id === undefined && externalId !== undefined ? [externalId] : [],
  });
  return known;
}

const trialKey = ({ id, item }: ItemRow) => (id === undefined ? `x${item.externalId}` : `${id}`);

function rememberTrial({ trial }: Import, item: Item): void {
  if (item.id !== 0n) trial.set(`${item.id}`, item);
  if (item.externalId !== undefined) trial.set(`x${item.externalId}`, item);
}

/** Returns the names of the columns that would fill the missing fields of an item. */
const toColumns = (missing: ReturnType<typeof findMissing>): string[] =>
  Object.keys(missing).map((field) => field.replace('media.', '').replace('.', '_'));

/** Counts a row that is not imported, and reports a problem for each of the given fields. */
function report(
  work: Import,
  row: ItemRow,
  outcome: 'invalid' | 'conflicts',
  fields: readonly string[],
  reason: string,
): void {
  work.counts[outcome]++;
  for (const field of fields) work.onProblem({ line: row.line, field, reason });
}

/** Whether two values are equal. `value` is a trimmed value of the file, and `known` is the stored value. */
const same = (value: unknown, known: unknown): boolean => {
  if (Array.isArray(value) && Array.isArray(known))
    return value.length === known.length && value.every((each, i) => same(each, known[i]));
  if (value instanceof Date && known instanceof Date) return isSameSecond(value, known);
  return value === (typeof known === 'string' ? known.trim() : known);
};

async function settleKnown(
  tx: Tx,
  work: Import,
  { known, row }: { known: Item; row: ItemRow },
): Promise<void> {
  const wanted: Item = { ...known };
  const differing: string[] = [];
  for (const column of row.given) {
    const field = itemColumns[column];
    const value = row.item[field as keyof typeof row.item];
    // An empty date or external id in the file does not remove the stored value.
    if ((field === 'publishedAt' || field === 'externalId') && value === undefined) continue;
    if (same(value, known[field])) continue;
    differing.push(column);
    Object.assign(wanted, { [field]: value });
  }
  if (differing.length === 0) work.counts.unchanged++;
  else if (!work.update) report(work, row, 'conflicts', differing, 'differs from the stored value.');
  else await update(tx, work, { known, wanted, row });
}

const isBeta = 'is a beta of this item. Move the beta to the channel `stable` first.';

async function update(
  tx: Tx,
  work: Import,
  { known, wanted, row }: { known: Item; wanted: Item; row: ItemRow },
): Promise<void> {
  const { workspaceId } = work;
  const { version } = wanted;
  if (version !== known.version) {
    const stored = await findVersion(tx, { workspaceId, itemId: known.id, version });
    if (stored?.channel === 'beta') return report(work, row, 'conflicts', ['version'], isBeta);
  }
  const [missing] = toColumns(findNewlyMissing(known, wanted));
  const blocked =
    (wanted.kind !== known.kind && 'kind') ||
    (wanted.state === 'draft' && known.state !== 'draft' && 'state') ||
    (wanted.version !== known.version && !isNewer(wanted.version, known.version) && 'version') ||
    missing;
  if (blocked) return report(work, row, 'conflicts', [blocked], 'cannot be changed to this.');
  work.counts.updated++;
  const now = work.now();
  const publishedAt = wanted.state === 'draft' ? wanted.publishedAt : (wanted.publishedAt ?? now);
  if (work.dryRun) return rememberTrial(work, { ...wanted, publishedAt });
  const target = { caller: { workspaceId, actor: {} }, itemId: known.id, now };
  await changeItem(tx, target, () => ({ item: { ...wanted, publishedAt }, action: 'item_imported' }));
  await insertVersion(tx, { workspaceId, itemId: known.id, version, at: now });
}
