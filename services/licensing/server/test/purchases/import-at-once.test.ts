// Two imports into one workspace at the same time both finish, and no row is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importItems } from '../../src/items/import/import-items.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { importAtOnce, importOptions, readRows } from '../environment/import-trials.ts';

let given: Given;

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

it('two concurrent imports with rows in opposite orders insert each purchase once without a deadlock', () =>
  importAtOnce(given, { rounds: 1, rows: 400 }));

it('two concurrent imports with the same items in opposite orders both finish', async () => {
  const workspaceId = await given.workspace();
  const rows = Array.from({ length: 400 }, (_, i) => ({
    line: i + 1,
    cells: { external_id: `x-${i}`, kind: 'image', name: `Name ${i}` },
  }));
  const options = { ...importOptions(given, workspaceId, false), workspaceCurrency: 'USD' };
  const counts = await Promise.all(
    [rows, rows.toReversed()].map((each) => importItems(given.db, readRows(each), options)),
  );
  expect(counts.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(400);
});
