// Tests of `import purchases` that run with small files by default, and with large files in the slow suite.
import { readFile } from 'node:fs/promises';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import { importPurchases } from '../../src/purchases/import/import-purchases.ts';
import { issuePurchase } from '../../src/purchases/management/issue-purchase.ts';
import type { ReadRow, Row } from '../../src/transfer/row.ts';
import type { TestCommand } from './command.ts';
import type { Given } from './given.ts';

/** The number of rows that one transaction of an import writes by default. */
const defaultBatchSize = 2000;

class Undone extends Error {}

/**
 * Kills an import after about half of its batches, while the import writes the next batch. Then runs the
 * import again. The file must have at least two batches.
 */
export async function killAndRepeat(given: Given, command: TestCommand, size: { rows: number }) {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const lines = Array.from(
    { length: size.rows },
    (_, i) => `K-${i},${itemId},5,2024-01-01,Bo,k${i}@x.example`,
  );
  const header = 'code,item_id,price,date,buyer_name,buyer_email';
  const file = await command.file('killed.csv', `${[header, ...lines].join('\n')}\n`);
  const args = ['import', 'purchases', file, '--workspace', String(workspaceId)];
  const count = async () => {
    const { rows } = await given.db.query<{ n: bigint }>(
      'select count(*) as n from purchases where workspace_id = $1',
      [workspaceId],
    );
    return Number(rows[0]?.n);
  };

  const kept = Math.floor(size.rows / defaultBatchSize / 2) * defaultBatchSize;
  const killed = given.db.transaction(async (tx) => {
    // This sale is not committed, and its code is in the next batch. So the import waits when it writes that
    // batch.
    const sale = { workspaceId, itemId, licenseType: 'Regular', priceMinor: 500n } as const;
    const rest = { currency: 'USD', purchasedAt: given.clock.now, code: `K-${kept + 500}` };
    await issuePurchase(tx, given.config.masterKey, { ...sale, ...rest });
    const running = command.start(...args);
    await eventually(async () => expect(await count()).toBe(kept));
    running.child.kill('SIGKILL');
    await running.ended;
    throw new Undone();
  });
  await expect(killed).rejects.toThrow(Undone);
  expect(await count()).toBe(kept);
  const again = await command.run(...args);
  expect(again).toMatchObject({ code: 0 });
  const [added, known] = [size.rows - kept, kept].map((each) => each.toLocaleString('en'));
  expect(again.out).toContain(`${added} new, 0 updated, ${known} unchanged`);
  expect(await count()).toBe(size.rows);
}

/** Checks that an import limits the number of rows in memory: rows that are read but not written yet. */
export async function importWithinMemory(
  given: Given,
  { rows: total, batchSize = defaultBatchSize }: { rows: number; batchSize?: number },
) {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  let produced = 0;
  let settled = 0;
  let most = 0;
  async function* rows() {
    for (; produced < total; produced++) {
      most = Math.max(most, produced - settled);
      const cells = {
        code: `M-${produced}`,
        item_id: String(itemId),
        price: '5',
        date: '2024-01-01',
      };
      yield { line: produced + 2, cells };
    }
  }
  const watcher = {
    onProblem: () => {},
    onProgress: ({ inserted }: { inserted: number }) => {
      settled = inserted;
    },
  };
  const deps = { db: given.db, masterKey: given.config.masterKey };
  const options = { ...importOptions(given, workspaceId, false), watcher, batchSize };
  const counts = await importPurchases(deps, rows(), options);
  expect(counts).toMatchObject({ read: total, inserted: total, invalid: 0 });
  expect(most).toBeLessThanOrEqual(2 * batchSize + 1);
}

export const importOptions = (given: Given, workspaceId: bigint, update: boolean) => ({
  workspaceId,
  update,
  dryRun: false,
  watcher: { onProblem: () => {}, onProgress: () => {} },
  now: () => given.clock.now,
});

export async function* readRows(rows: readonly Row[]): AsyncGenerator<ReadRow> {
  yield* rows;
}

/**
 * Runs two imports at the same time, with the same codes in opposite orders. Then runs two imports with
 * `update` in the same way, which set different buyers.
 */
export async function importAtOnce(given: Given, { rounds, rows: total }: { rounds: number; rows: number }) {
  const workspaceId = await given.workspace();
  const itemId = String(await given.item(workspaceId));
  const tools = { db: given.db, masterKey: given.config.masterKey };
  const rowsOf = (round: number, buyer: string) =>
    Array.from({ length: total }, (_, i) => ({
      line: i + 1,
      cells: {
        code: `C-${round}-${i}`,
        item_id: itemId,
        price: '5',
        date: '2024-01-01',
        buyer_name: buyer,
      },
    }));
  const both = (first: readonly Row[], second: readonly Row[], update: boolean) =>
    Promise.all(
      [first, second.toReversed()].map((rows) =>
        importPurchases(tools, readRows(rows), importOptions(given, workspaceId, update)),
      ),
    );
  for (let round = 0; round < rounds; round++) {
    const [a, b] = await both(rowsOf(round, 'Bo'), rowsOf(round, 'Bo'), false);
    expect((a?.inserted ?? 0) + (b?.inserted ?? 0)).toBe(total);
  }
  const updates = await both(rowsOf(0, 'Ek'), rowsOf(0, 'Jo'), true);
  expect(updates.map(({ updated }) => updated)).toEqual([total, total]);
}

/** Imports a file with an unclosed quote in the fourth row, and expects that only this row is refused. */
export async function importUnclosedQuote(
  given: Given,
  command: TestCommand,
  { rows, name }: { rows: number; name: string },
) {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const lines = Array.from(
    { length: rows },
    (_, i) => `C-${i},${itemId},5,2024-01-01,${i === 3 ? '"Unclosed' : name}`,
  );
  const header = 'code,item_id,price,date,buyer_name';
  const file = await command.file('unclosed.csv', [header, ...lines].join('\n'));
  const report = command.path('unclosed-errors.csv');
  const to = ['--workspace', String(workspaceId), '--errors', report];
  const { out } = await command.run('import', 'purchases', file, ...to);
  expect(out).toContain(`${rows.toLocaleString('en')} rows`);
  const added = (rows - 1).toLocaleString('en');
  expect(out).toContain(`: ${added} new, 0 updated, 0 unchanged, 0 in conflict, 1 invalid.`);
  expect((await readFile(report, 'utf8')).trim().split('\n').slice(1)).toEqual([
    expect.stringMatching(/^5,row,/),
  ]);
}

/** Returns the counts in the output of an import, which follow `rows in … s: `. */
export const countsOf = (out: string) => /rows in [\d.]+ s: (.*)\./.exec(out)?.[1];

/**
 * Imports a file that contains one code three times; only the second row has another buyer. Expects the same
 * counts from a dry run.
 */
export async function importTwice(
  given: Given,
  command: TestCommand,
  { between, update }: { between: number; update: boolean },
) {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const row = (n: number, name = 'Bo') => `C-${n},${itemId},5,2024-01-01,${name}`;
  const file = await command.file(
    'again.csv',
    [
      'code,item_id,price,date,buyer_name',
      row(1),
      ...Array.from({ length: between }, (_, i) => row(i + 10)),
      row(1, 'Other'),
      row(1),
    ].join('\n'),
  );
  const run = async (...options: string[]) => {
    const to = ['--workspace', String(workspaceId), ...(update ? ['--update'] : [])];
    return countsOf((await command.run('import', 'purchases', file, ...to, ...options)).out);
  };
  const count = async (condition: string) =>
    (
      await given.db.query<{ n: bigint }>(
        `select count(*) as n from purchases where workspace_id = $1 and ${condition}`,
        [workspaceId],
      )
    ).rows[0]?.n;
  const dry = await run('--dry-run');
  expect(await count('true')).toBe(0n);
  const real = await run();
  expect(dry).toBe(real);
  expect(real).toMatch(
    update ? / 2 updated, 0 unchanged, 0 in conflict/ : / 0 updated, 1 unchanged, 1 in conflict, 0 invalid/,
  );
  // The file has the code three times. The buyers are Bo, Other and Bo. Without `--update`, the row with
  // Other is a conflict. With `--update`, the last row overwrites Other.
  expect(await count(`buyer_name = 'Other'`)).toBe(0n);
}
