// A preset reads a file that was exported from another marketplace.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importPurchaseFile } from '../../src/purchases/import/import-purchase-file.ts';
import type { PresetName } from '../../src/purchases/import/presets.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let folder: string;
let workspaceId: bigint;

beforeAll(async () => {
  given = await givenLicensing();
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-presets-'));
  workspaceId = await given.workspace();
  await given.item(workspaceId, { externalId: 'theme' });
  await given.item(workspaceId, { externalId: '12345678' });
});
afterAll(async () => {
  await given.close();
  await rm(folder, { recursive: true });
});

async function bring(preset: PresetName, lines: readonly string[], more: object = {}) {
  const file = join(folder, `${preset}.csv`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return importPurchaseFile(
    { db: given.db, masterKey: given.config.masterKey, now: () => given.clock.now },
    {
      file,
      workspaceId,
      actor: {},
      format: 'csv',
      delimiter: ',',
      map: [],
      preset,
      dryRun: false,
      update: false,
      onProgress: () => {},
      ...more,
    },
  );
}

async function stored() {
  const { rows } = await given.db.query<Record<string, unknown>>(
    `select code_hint, license_type, price_minor, currency, state, buyer_name, buyer_email,
       to_char(purchased_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at,
       to_char(supported_until at time zone 'UTC', 'YYYY-MM-DD') as until
     from purchases order by code_hint`,
  );
  await given.db.query('delete from purchases');
  return rows.map((row) => Object.values(row).map((each) => each?.toString() ?? ''));
}

const gumroadHead =
  'Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Purchase Date,' +
  'Purchase Time (UTC timezone),Sale Price ($),Refunded?,Fully Refunded?,Disputed?,Dispute Won?,' +
  'Access Revoked?,Variants,Recurring Charge?,Product ID,License Key,License Key Enabled?';
const gumroadRow = (key: string, flags = '0,0,0,0,0', variants = '', recurring = 0) =>
  `p${key},Theme,"Doe, Eve",eve@doe.example,,2024-03-05,2024-03-05 14:07:09 UTC,19.5,${flags},${variants},${recurring},theme,AAAAAAAA-BBBBBBBB-CCCCCCCC-0000${key},1`;

it('the Gumroad preset reads states, licences and times, and skips totals and renewals', async () => {
  const lines = [
    gumroadHead,
    gumroadRow('0001'),
    gumroadRow('0002', '1,1,0,0,0'),
    gumroadRow('0003', '1,0,0,0,0', '"Extended, blue"'),
    gumroadRow('0004', '0,0,1,0,0'),
    gumroadRow('0005', '0,0,1,1,0'),
    gumroadRow('0006', '0,0,0,0,1'),
    gumroadRow('0001', '0,0,0,0,0', '', 1),
    'Totals,,,,,,,117.0,,,,,,,,,,',
  ];
  const done = await bring('gumroad', lines);
  expect(done.problems).toEqual([]);
  expect(done.counts).toMatchObject({ read: 6, inserted: 6 });
  const again = await bring('gumroad', lines);
  expect(again.counts).toMatchObject({ read: 6, unchanged: 6 });
  const rest = ['1950', 'USD'];
  const buyer = ['Doe, Eve', 'eve@doe.example', '2024-03-05 14:07:09', ''];
  expect(await stored()).toEqual([
    ['…0001', 'Regular', ...rest, 'active', ...buyer],
    ['…0002', 'Regular', ...rest, 'refunded', ...buyer],
    ['…0003', 'Extended', ...rest, 'active', ...buyer],
    ['…0004', 'Regular', ...rest, 'disputed', ...buyer],
    ['…0005', 'Regular', ...rest, 'active', ...buyer],
    ['…0006', 'Regular', ...rest, 'cancelled', ...buyer],
  ]);
});

it('the Envato preset reads sales and refunds with a purchase code, and skips fees', async () => {
  const done = await bring('envato', [
    'Date,Order ID,Type,Detail,Item ID,Price,License,Purchase Code,Supported Until,Buyer',
    '2024-03-05 14:07:09 +1100,1,Sale,Theme,12345678,$59.00,Regular License,' +
      '86781236-23d0-4b3c-7dfa-c1c147e0aaaa,2024-09-05T00:00:00+11:00,eve',
    '2024-03-05 14:07:09 +1100,1,Author Fee,Theme,12345678,-7.00,,,,',
    '2024-03-06 00:00:00 +1100,2,Sale Refund,Theme,12345678,-59.00,Extended License,' +
      '86781236-23d0-4b3c-7dfa-c1c147e0bbbb,,bob',
    '06/03/2024,3,Sale,Theme,12345678,59.00,Regular License,86781236-23d0-4b3c-7dfa-c1c147e0cccc,,',
  ]);
  expect(done.counts).toMatchObject({ read: 3, inserted: 2, invalid: 1 });
  expect(done.problems).toMatchObject([{ line: 5, field: 'date' }]);
  expect(await stored()).toEqual([
    ['…aaaa', 'Regular', '5900', 'USD', 'active', 'eve', '', '2024-03-05 03:07:09', '2024-09-04'],
    ['…bbbb', 'Extended', '5900', 'USD', 'refunded', 'bob', '', '2024-03-05 13:00:00', ''],
  ]);
});

it('a mapped column takes precedence over the preset; a map to a missing column is refused', async () => {
  const lines = [
    'sold_at,item_id,amount,license,code,theirs',
    '2016-09-07T10:54:28+10:00,999,9.99,Regular License,86781236-23d0-4b3c-7dfa-c1c147e0dddd,theme',
  ];
  const done = await bring('envato', lines, { map: ['item_external_id=theirs'] });
  expect(done.problems).toEqual([]);
  expect(await stored()).toEqual([
    ['…dddd', 'Regular', '999', 'USD', 'active', '', '', '2016-09-07 00:54:28', ''],
  ]);
  await expect(bring('gumroad', lines, { map: ['code=nowhere'] })).rejects.toThrow(/no column/);
  await expect(bring('gumroad', lines)).rejects.toThrow(/none of the columns/);
  await expect(bring('envato', lines, { format: 'ndjson' })).rejects.toThrow(/for CSV/);
});
