// Writes a batch of one package in a transaction whose statements each concern this package only.
import { DatabaseUnavailableError, type Db, type Queryable } from '@counterfoil/kit/postgres/db';
import type { PackageEffects } from './batch-columns.ts';
import type { WriteResult } from './ledger-store.ts';
import { checkRequest, writeRequests } from './package-statements.ts';

/**
 * Writes a batch of one package on a database that is distributed over nodes. On this database, an insert
 * cannot be part of another statement, so the single statement of `writeBatch` is split. The first statement
 * locks the head and the last statement moves the head. So no other process can write between these
 * statements.
 */
export async function writePackage(db: Db, effect: PackageEffects, now: Date): Promise<WriteResult> {
  let isWritten = false;
  try {
    return await db.transaction(async (tx) => {
      const result = await writePackageWithin(tx, effect, now);
      isWritten = result.kind === 'written';
      return result;
    });
  } catch (error) {
    // If all statements were executed, only the commit can have failed. The commit may have succeeded on some
    // of the nodes, so the outcome is unknown.
    if (isWritten) throw new DatabaseUnavailableError('a commit was not confirmed');
    throw error;
  }
}

interface Checked {
  readonly ok: boolean;
  readonly known: boolean;
  readonly unforeseen: boolean;
  readonly version: string;
}

/** Like `writePackage`, but inside an open transaction. */
export async function writePackageWithin(
  tx: Queryable,
  effect: PackageEffects,
  now: Date,
): Promise<WriteResult> {
  const { rows } = await tx.query<Checked>(checkRequest(effect));
  const [checked] = rows;
  if (checked?.known) return { kind: 'known' };
  if (!checked?.ok) return { kind: checked?.unforeseen ? 'unforeseen' : 'stale' };
  const { journal, accounts, head, rest } = writeRequests(effect, now);
  const inserted = journal && (await tx.query(journal));
  const balanced = accounts && (await tx.query<{ updated: boolean }>(accounts));
  for (const request of rest) if (request) await tx.query(request);
  const moved = await tx.query(head);
  const updated = balanced?.rows.filter((row) => row.updated) ?? [];
  const isWhole =
    (inserted?.rowCount ?? 0) === effect.rows.length &&
    updated.length === effect.accounts.size &&
    moved.rowCount === 1;
  if (!isWhole) throw new Error('the ledger did not write all rows of a batch');
  return { kind: 'written', versions: [checked.version] };
}
