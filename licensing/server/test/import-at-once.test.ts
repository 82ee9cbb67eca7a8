// Two imports into one workspace at the same time: both come to their end, and nothing is lost.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { importItems } from '../src/items/import-items.ts';
import { importPurchases } from '../src/purchases/import-purchases.ts';
import type { ReadRow, Row } from '../src/transfer/row.ts';
import { type Given, givenLicensing } from './given.ts';

// Each waits for the other, over and over.
vi.setConfig({ testTimeout: 120_000 });

let given: Given;

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

const optionsOf = (workspaceId: bigint, update: boolean) => ({
  workspaceId,
  update,
  dryRun: false,
  watcher: { onProblem: () => {}, onProgress: () => {} },
  now: () => given.clock.now,
});

async function* read(rows: readonly Row[]): AsyncGenerator<ReadRow> {
  yield* rows;
}

it('purchases, in opposite orders, new and then with --update', async () => {
  const workspaceId = await given.workspace();
  const itemId = String(await given.item(workspaceId));
  const tools = { db: given.db, masterKey: given.config.masterKey };
  const rowsOf = (round: number, buyer: string) =>
    Array.from({ length: 1500 }, (_, i) => ({
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
        importPurchases(tools, read(rows), optionsOf(workspaceId, update)),
      ),
    );
  for (let round = 0; round < 4; round++) {
    const [a, b] = await both(rowsOf(round, 'Bo'), rowsOf(round, 'Bo'), false);
    expect((a?.inserted ?? 0) + (b?.inserted ?? 0)).toBe(1500);
  }
  const updates = await both(rowsOf(0, 'Ek'), rowsOf(0, 'Jo'), true);
  expect(updates.map(({ updated }) => updated)).toEqual([1500, 1500]);
});

it('items, in opposite orders', async () => {
  const workspaceId = await given.workspace();
  const rows = Array.from({ length: 400 }, (_, i) => ({
    line: i + 1,
    cells: { external_id: `x-${i}`, kind: 'image', name: `Name ${i}` },
  }));
  const options = { ...optionsOf(workspaceId, false), workspaceCurrency: 'USD' };
  const counts = await Promise.all(
    [rows, rows.toReversed()].map((each) => importItems(given.db, read(each), options)),
  );
  expect(counts.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(400);
});
