// One batch of an import: what is new is inserted, what is known held against what stands there.
import type { Tx } from '@counterfoil/kit/db';
import type { MasterKey } from '@counterfoil/kit/secrets';
import { recordAudit } from '../audit/record-audit.ts';
import type { ImportCounts, ImportWatcher } from '../transfer/batches.ts';
import { makeCodeHint, sealCode } from './code.ts';
import { insertPurchases, overwritePurchase, selectByCodeHashes } from './import-store.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { findDifferences, type ImportedPurchase, refuseUpdate } from './purchase-row.ts';

export interface PurchaseImport {
  readonly workspaceId: bigint;
  readonly masterKey: MasterKey;
  /** Overwrite what differs instead of reporting it. */
  readonly update: boolean;
  /** Look and report, write nothing. */
  readonly dryRun: boolean;
  readonly counts: ImportCounts;
  readonly watcher: ImportWatcher;
  readonly now: () => Date;
}

/** The hash as the text that names it in memory. */
export type Hashed = ImportedPurchase & { readonly hash: string };

export async function writeBatch(
  tx: Tx,
  work: PurchaseImport,
  purchases: readonly Hashed[],
): Promise<void> {
  const { inserted, updated } = work.counts;
  const known = await findKnown(tx, work, purchases);
  const fresh: Hashed[] = [];
  const repeated: Hashed[] = [];
  const seen = new Set<string>();
  for (const row of purchases) {
    if (known.has(row.hash) || seen.has(row.hash)) repeated.push(row);
    else fresh.push(row);
    seen.add(row.hash);
  }
  repeated.push(...(await insertFresh(tx, work, fresh)));
  await settleRepeated(tx, work, { repeated, known });
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

async function findKnown(tx: Tx, work: PurchaseImport, purchases: readonly Hashed[]) {
  const hashes = purchases.map((row) => row.hash);
  const lock = work.update && !work.dryRun;
  const known = await selectByCodeHashes(tx, { workspaceId: work.workspaceId, hashes, lock });
  return new Map(known.map((each) => [each.codeHash.toString('hex'), each]));
}

/** Those that somebody else inserted at the same moment come back. */
async function insertFresh(
  tx: Tx,
  work: PurchaseImport,
  fresh: readonly Hashed[],
): Promise<Hashed[]> {
  if (work.dryRun || fresh.length === 0) {
    work.counts.inserted += fresh.length;
    return [];
  }
  const { workspaceId, masterKey } = work;
  const codes = fresh.map(({ row: { code }, hash: text }) => {
    const hash = Buffer.from(text, 'hex');
    return { hash, sealed: sealCode(masterKey, code, hash), hint: makeCodeHint(code) };
  });
  const batch = { workspaceId, at: work.now(), purchases: fresh, codes };
  const inserted = await insertPurchases(tx, batch);
  work.counts.inserted += inserted.length;
  if (inserted.length === fresh.length) return [];
  const hashes = new Set(inserted.map((hash) => hash.toString('hex')));
  return fresh.filter((each) => !hashes.has(each.hash));
}

/** Holds rows whose code is there already against what stands under it. */
async function settleRepeated(
  tx: Tx,
  work: PurchaseImport,
  given: { repeated: readonly Hashed[]; known: Map<string, ManagedPurchase> },
): Promise<void> {
  if (given.repeated.length === 0) return;
  const missing = given.repeated.filter((row) => !given.known.has(row.hash));
  const later = missing.length > 0 ? await findKnown(tx, work, missing) : new Map();
  for (const row of given.repeated) {
    const known = given.known.get(row.hash) ?? later.get(row.hash);
    // A dry run has not inserted the first of two rows of one code.
    if (known) await settle(tx, work, { known, row });
    else work.counts.unchanged++;
  }
}

async function settle(
  tx: Tx,
  work: PurchaseImport,
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
    work.watcher.onProblem({ line: row.row.line, field, reason });
}
