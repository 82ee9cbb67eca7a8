// Writes one batch of an import: inserts new purchases, and compares the other rows with the stored
// purchases.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { ImportCounts } from '../../transfer/batches.ts';
import { lockImports } from '../../transfer/lock-imports.ts';
import type { RowProblem } from '../../transfer/row.ts';
import { type NewEvent, recordEvent } from '../../webhooks/events.ts';
import { toStoredCode } from '../code.ts';
import type { ManagedPurchase } from '../management/managed-purchase.ts';
import { selectPooled, selectRetired } from '../management/queries.ts';
import { deleteRetired, type PurchaseTable } from '../management/store.ts';
import { makePurchaseEvent, typeOfState } from '../purchase-event.ts';
import {
  findDifferences,
  type ImportedPurchase,
  itemFieldOf,
  neverPublished,
  refuseUpdate,
} from './purchase-row.ts';
import { copyToTrialTable, insertPurchases, overwritePurchase, selectByCodeHashes } from './store.ts';

export interface PurchaseImport {
  /** The default actor is an operator at the command line. */
  readonly actor?: Actor;
  readonly workspaceId: bigint;
  readonly masterKey: MasterKey;
  /**
   * If true, the import overwrites stored purchases that differ from the file, instead of reporting
   * them.
   */
  readonly update: boolean;
  /** If true, the import writes to a temporary table, and only reports the changes that it would make. */
  readonly dryRun: boolean;
  readonly counts: ImportCounts;
  readonly onProblem: (problem: RowProblem) => void;
  readonly now: () => Date;
}

/** A purchase of the file, with the hash of its code as hex text. */
export type Hashed = ImportedPurchase & { readonly hash: string };

export async function writeBatch(tx: Tx, work: PurchaseImport, purchases: readonly Hashed[]): Promise<void> {
  const { inserted, updated } = work.counts;
  if (!work.dryRun) await lockImports(tx, work.workspaceId);
  const known = await findKnown(tx, work, purchases);
  const hashes = purchases.map((row) => row.hash);
  const retired = new Set(await selectRetired(tx, { workspaceId: work.workspaceId, hashes }));
  const pooled = new Set(await selectPooled(tx, { workspaceId: work.workspaceId, hashes }));
  const fresh: Hashed[] = [];
  const repeated: Hashed[] = [];
  const seen = new Set<string>();
  for (const row of purchases) {
    if (retired.has(row.hash)) refuseCode(work, row, wasReplaced);
    else if (pooled.has(row.hash)) refuseCode(work, row, isPooled);
    else if (known.has(row.hash) || seen.has(row.hash)) repeated.push(row);
    else if (!row.isItemPublished) {
      refuseUnpublished(work, row);
      continue;
    } else fresh.push(row);
    seen.add(row.hash);
  }
  repeated.push(...(await insertFresh(tx, work, fresh)));
  const events = await settleRepeated(tx, work, { repeated, known });
  const details = { inserted: work.counts.inserted - inserted, updated: work.counts.updated - updated };
  if (work.dryRun || details.inserted + details.updated === 0) return;
  const { workspaceId, actor = {} } = work;
  const subject = { kind: 'import', id: '' };
  await recordAudit(tx, {
    workspaceId,
    actor,
    at: work.now(),
    action: 'purchases_imported',
    subject,
    details,
  });
  await recordEvent(tx, workspaceId, ...events);
}

function refuseUnpublished(work: PurchaseImport, { row }: Hashed): void {
  work.counts.invalid++;
  work.onProblem({ line: row.line, field: itemFieldOf(row), reason: neverPublished });
}

const tableOf = (work: PurchaseImport): PurchaseTable => (work.dryRun ? 'trial_purchases' : 'purchases');

async function findKnown(tx: Tx, work: PurchaseImport, purchases: readonly Hashed[]) {
  const { workspaceId } = work;
  const hashes = purchases.map((row) => row.hash);
  if (work.dryRun) await copyToTrialTable(tx, { workspaceId, hashes });
  const lock = work.update && !work.dryRun;
  const known = await selectByCodeHashes(tx, tableOf(work), { workspaceId, hashes, lock });
  return new Map(known.map((each) => [each.codeHash.toString('hex'), each]));
}

/** A row with a replaced code must not create the purchase a second time. */
const wasReplaced = 'was replaced: its purchase has another code now.';
const isPooled = 'is in a pool of codes. Only a draw from the pool hands it out.';

/** Reports a row whose code cannot be the code of a purchase. */
function refuseCode(work: PurchaseImport, { row }: Hashed, reason: string): void {
  work.counts.conflicts++;
  work.onProblem({ line: row.line, field: 'code', reason });
}

/**
 * Inserts new purchases. Returns the rows that were not inserted, because a concurrent transaction inserted
 * their codes first.
 */
async function insertFresh(tx: Tx, work: PurchaseImport, fresh: readonly Hashed[]): Promise<Hashed[]> {
  if (fresh.length === 0) return [];
  const { workspaceId, masterKey } = work;
  const codes = fresh.map(({ row: { code }, hash }) =>
    toStoredCode(masterKey, code, Buffer.from(hash, 'hex')),
  );
  const batch = { workspaceId, at: work.now(), purchases: fresh, codes };
  const hashes = await insertPurchases(tx, tableOf(work), batch);
  // During the insert, another transaction may have replaced one of these codes. So the replaced codes are
  // looked up again.
  const retired = new Set(await deleteRetired(tx, tableOf(work), { workspaceId, hashes }));
  for (const row of fresh) if (retired.has(row.hash)) refuseCode(work, row, wasReplaced);
  work.counts.inserted += hashes.length - retired.size;
  const inserted = new Set(hashes);
  return fresh.filter((each) => !inserted.has(each.hash));
}

/** Compares rows with the stored purchases of their codes, and returns the events of changed states. */
async function settleRepeated(
  tx: Tx,
  work: PurchaseImport,
  given: { repeated: readonly Hashed[]; known: Map<string, ManagedPurchase> },
): Promise<NewEvent[]> {
  const missing = given.repeated.filter((row) => !given.known.has(row.hash));
  const later = missing.length > 0 ? await findKnown(tx, work, missing) : new Map();
  const known = new Map([...given.known, ...later]);
  const events: NewEvent[] = [];
  for (const row of given.repeated) {
    const before = known.get(row.hash);
    if (!before) throw new Error('a purchase was neither inserted nor found');
    const after = await settle(tx, work, { known: before, row });
    known.set(row.hash, after);
    if (after.state !== before.state) {
      events.push(makePurchaseEvent(typeOfState[after.state], after, work.now()));
    }
  }
  return events;
}

/**
 * Compares one row with the stored purchase that has the same code. Returns the purchase as it is after this
 * row. If a later row has the same code, that row is compared with this result.
 */
async function settle(
  tx: Tx,
  work: PurchaseImport,
  { known, row }: { known: ManagedPurchase; row: Hashed },
): Promise<ManagedPurchase> {
  const differences = findDifferences(known, row);
  if (differences.length === 0) {
    work.counts.unchanged++;
    return known;
  }
  if (work.update && known.itemId !== row.itemId && !row.isItemPublished) {
    refuseUnpublished(work, row);
    return known;
  }
  const refusal = refuseUpdate(known, row);
  if (work.update && refusal === undefined) {
    work.counts.updated++;
    return overwritePurchase(tx, tableOf(work), { known, imported: row, at: work.now() });
  }
  work.counts.conflicts++;
  const reason = (work.update && refusal) || 'differs from the stored value.';
  for (const field of work.update ? ['state'] : differences)
    work.onProblem({ line: row.row.line, field, reason });
  return known;
}
