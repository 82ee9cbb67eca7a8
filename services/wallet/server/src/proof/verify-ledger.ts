// Proves a ledger from its journal. Checks the hash chain, the sequences and every balance, and that all
// balances sum to zero.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { JournalEntry } from '../ledger/queries.ts';
import { hashNote } from '../ledger/rules/ids.ts';
import type { AccountState } from '../ledger/rules/state.ts';
import type { Proof } from './proof.ts';
import { findHeadRow, listAccountPage, readJournal } from './queries.ts';
import { createReplay, type Replay, report } from './replay.ts';

/** Reads one snapshot of the database. The service continues to write in the meantime. */
export async function verifyLedger(
  db: Db,
  packageId: number,
  options: { onProgress?: (movements: bigint) => void } = {},
): Promise<Proof> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const replay = createReplay(packageId);
    let movements = 0n;
    for await (const page of readJournal(tx, packageId)) {
      for (const row of page) checkRow(replay, row);
      movements += BigInt(page.length);
      options.onProgress?.(movements);
    }
    options.onProgress?.(movements);
    await checkHead(tx, packageId, replay);
    const accounts = await checkAccounts(tx, packageId, replay);
    return {
      packageId,
      movements,
      accounts,
      headSequence: replay.sequence,
      headHash: replay.hash.toString('hex'),
      flaws: replay.flaws,
    };
  });
}

function checkRow(replay: Replay, { movement, hash, note }: JournalEntry): void {
  replay.apply(movement, hash);
  if (note === undefined || hashNote(note) === movement.noteHash) return;
  report(replay, { sequence: movement.sequence, problem: 'its note does not match its hash' });
}

async function checkHead(tx: Tx, packageId: number, replay: Replay): Promise<void> {
  const head = await findHeadRow(tx, packageId);
  if (!head) return report(replay, { problem: 'the ledger has no head' });
  if (head.sequence !== replay.sequence) {
    report(replay, {
      sequence: replay.sequence,
      problem: `is the last row, but the head is at ${head.sequence}`,
    });
  }
  if (!head.hash.equals(replay.hash)) {
    report(replay, { sequence: replay.sequence, problem: "has another hash than the ledger's head" });
  }
}

async function checkAccounts(tx: Tx, packageId: number, replay: Replay): Promise<number> {
  let count = 0;
  let sum = 0n;
  const unseen = new Set(replay.accounts.keys());
  for (let after = 0n; ; ) {
    const page = await listAccountPage(tx, { packageId, after, limit: 5000 });
    if (page.length === 0) break;
    for (const row of page) {
      count++;
      sum += row.balance;
      unseen.delete(row.id);
      checkAccount(replay, row);
    }
    after = page.at(-1)?.id ?? after;
  }
  for (const account of unseen) report(replay, { account, problem: 'has movements but no balance' });
  if (sum !== 0n) report(replay, { problem: `the accounts sum to ${sum}, not to zero` });
  return count;
}

function checkAccount(replay: Replay, row: AccountState & { id: bigint }): void {
  const wanted = replay.accounts.get(row.id) ?? { balance: 0n, lastSequence: 0n };
  if (row.balance !== wanted.balance) {
    const problem = `holds ${row.balance}, but its movements add up to ${wanted.balance}`;
    report(replay, { account: row.id, problem });
  }
  if (row.lastSequence !== wanted.lastSequence) {
    const problem = `points to row ${row.lastSequence}, not to its last row ${wanted.lastSequence}`;
    report(replay, { account: row.id, problem });
  }
}
