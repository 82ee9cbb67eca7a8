// Imports report unknown columns, accept aliases of our columns, and report all problems of a row.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '../../src/purchases/import/presets.ts';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;
let workspaceId: bigint;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
});

beforeEach(async () => {
  workspaceId = await given.workspace();
  await given.item(workspaceId, { externalId: 'theme-1' });
});

afterAll(async () => {
  await command.close();
  await given.close();
});

const importFile = async (name: string, text: string, ...options: string[]) => {
  const file = await command.file(name, text);
  const of = ['--workspace', String(workspaceId), ...options];
  return command.run('import', 'purchases', file, ...of);
};
const unknownOf = async (name: string, text: string, ...options: string[]) =>
  JSON.parse((await importFile(name, text, '--json', ...options)).out).unknown_columns;

describe('an unknown column', () => {
  const text =
    'code,item_external_id,price,date,supported_untill,Referrer\nA,theme-1,1,2024-01-01,2025-01-01,x\n';

  it('an unknown column is reported with the field that it resembles, and the row is imported', async () => {
    const run = await importFile('sales.csv', text);
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining('1 new') });
    expect(run.out).toContain(
      'The column "supported_untill" is unknown and was ignored. Did you mean supported_until?',
    );
    expect(run.out).toContain('The column "Referrer" is unknown and was ignored.\n');
  });

  it('an unknown column is in the JSON that the command prints, also in a dry run', async () => {
    expect(await unknownOf('sales.csv', text, '--dry-run')).toEqual([
      { column: 'supported_untill', nearest: 'supported_until' },
      { column: 'Referrer' },
    ]);
  });

  it('an unknown column of an NDJSON file is reported once, however many rows have it', async () => {
    const line = (code: string, more: object) =>
      JSON.stringify({ code, item_external_id: 'theme-1', price: 1, date: '2024-01-01', ...more });
    const lines = [line('A', { emial: 'x' }), line('B', { emial: 'y', note: '' })].join('\n');
    expect(await unknownOf('sales.ndjson', lines)).toEqual([
      { column: 'emial', nearest: 'buyer_email' },
      { column: 'note' },
    ]);
  });

  it("an unknown column is in the answer of the panel's import", async () => {
    const panel = (await bothClients(given, workspaceId))[1] as TestClient;
    const answer = await panel.send('POST', '/purchases/import', Buffer.from(text), {
      'content-type': 'text/csv',
    });
    const last = JSON.parse(answer.text.trim().split('\n').at(-1) ?? '');
    expect(last.done).toMatchObject({
      counts: { inserted: 1 },
      unknown_columns: [{ column: 'supported_untill', nearest: 'supported_until' }, { column: 'Referrer' }],
      unknown_column_count: 2,
    });
  });

  it('an unknown column is reported by its position if it has no heading', async () => {
    const unnamed = 'code,item_external_id,price,date,\nq6,theme-1,5,2024-01-01,zz\n';
    const run = await importFile('sales.csv', unnamed);
    expect(run.out).toContain('Column 5 has no heading and was ignored.\n');
    expect(await unknownOf('sales.csv', unnamed)).toEqual([{ column: '', position: 5 }]);
  });

  it('an NDJSON field with an empty name is reported as an unknown column', async () => {
    const line = '{"code":"A","item_external_id":"theme-1","price":1,"date":"2024-01-01","":"zz"}';
    expect((await importFile('sales.ndjson', line)).out).toContain('A field without a name was ignored.\n');
    expect(await unknownOf('sales.ndjson', line)).toEqual([{ column: '' }]);
  });

  it('an unknown column is counted but not listed if 50 unknown columns precede it', async () => {
    const names = Array.from({ length: 53 }, (_, i) => `x${i}`);
    const wide =
      `code,item_external_id,price,date,${names.join()}\n` + `A,theme-1,1,2024-01-01,${names.join()}\n`;
    expect((await importFile('sales.csv', wide)).out).toMatch(
      /"x49" is unknown and was ignored\.\n {2}… and 3 more columns\.\n/,
    );
    const json = JSON.parse((await importFile('sales.csv', wide, '--json')).out);
    expect(json.unknown_columns).toHaveLength(50);
    expect(json.unknown_column_count).toBe(53);
  });

  it('an unknown column is also reported in an import of items', async () => {
    const file = await command.file('items.csv', 'external_id,kind,name,titel\nx,image,X,Y\n');
    const run = await command.run('import', 'items', file, '--workspace', String(workspaceId));
    expect(run.out).toContain('The column "titel" is unknown and was ignored.');
  });
});

it('the report describes a problem in a full sentence with the line number of the row', async () => {
  const run = await importFile('sales.csv', 'code,item_id,price,date\nA,987654321,1,2024-01-01\n');
  expect(run.out).toContain('1 row in ');
  expect(run.out).toContain('line 2: item_id names an item that does not exist in this workspace.\n');
});

describe('columns with the names of fields of the API and the events', () => {
  const dates = async () =>
    (
      await given.db.query<{ at: Date }>(
        'select purchased_at as at from purchases where workspace_id = $1 order by id',
        [workspaceId],
      )
    ).rows.map(({ at }) => at.toISOString().slice(0, 10));

  it('columns with the names of API fields are read without a map, in CSV and NDJSON', async () => {
    const csv = 'purchase_code,item_external_id,price,purchased_at\nA,theme-1,1,2024-01-02\n';
    expect(await unknownOf('sales.csv', csv)).toEqual([]);
    const line = '{"purchase_code":"B","item_external_id":"theme-1","price":1,"purchased_at":"2024-01-03"}';
    expect(await unknownOf('sales.ndjson', line)).toEqual([]);
    expect(await dates()).toEqual(['2024-01-02', '2024-01-03']);
  });

  it('licence_type is read as license_type, so that an extended licence stays extended', async () => {
    const csv = 'code,item_external_id,licence_type,price,date\nA,theme-1,Extended,1,2024-01-02\n';
    expect(await unknownOf('sales.csv', csv)).toEqual([]);
    const { rows } = await given.db.query('select license_type from purchases where workspace_id = $1', [
      workspaceId,
    ]);
    expect(rows).toEqual([{ license_type: 'Extended' }]);
  });

  it('purchased_at is reported as a second column for date if the file also has a column date', async () => {
    const csv =
      'code,item_external_id,price,date,Purchased_At\n' +
      'A,theme-1,1,2024-01-02, 2024-01-02\nB,theme-1,1,2024-01-03,\n';
    const run = await importFile('sales.csv', csv);
    expect(run).toMatchObject({ code: 0, out: expect.stringContaining('2 new') });
    expect(run.out).toContain('The column "Purchased_At" is a second column for date.\n');
    expect(await unknownOf('sales.csv', csv)).toEqual([{ column: 'Purchased_At', second_for: 'date' }]);
    expect(await dates()).toEqual(['2024-01-02', '2024-01-03']);
  });

  it.each([
    ['a date that differs from the column date', 'A,theme-1,1,2024-01-02,2020-01-01'],
    ['a date while the column date is empty', 'A,theme-1,1,,2020-01-01'],
  ])('a row is invalid if its column purchased_at contains %s', async (_case, row) => {
    const csv = `code,item_external_id,price,date,purchased_at\n${row}\nB,theme-1,1,2024-01-03,2024-01-03\n`;
    const run = await importFile('sales.csv', csv);
    expect(run.out).toContain('line 2: date has another value in the column "purchased_at".\n');
    expect(run).toMatchObject({ code: 1, out: expect.stringContaining('1 invalid') });
    expect(await dates()).toEqual(['2024-01-03']);
  });

  it('with --map date=purchased_at, the date is read from the column purchased_at', async () => {
    const csv = 'code,item_external_id,price,date,purchased_at\nA,theme-1,1,2024-01-02,2020-01-01\n';
    expect(await unknownOf('sales.csv', csv, '--map', 'date=purchased_at')).toEqual([
      { column: 'date', second_for: 'date' },
    ]);
    expect(await dates()).toEqual(['2020-01-01']);
  });

  it('an NDJSON row with different values of date and purchased_at is invalid', async () => {
    const line = (code: string, more: object) =>
      JSON.stringify({ code, item_external_id: 'theme-1', price: 1, ...more });
    const lines = [
      line('A', { purchased_at: '2024-01-03' }),
      line('B', { date: '2024-01-02', purchased_at: '2024-01-02' }),
      line('C', { date: '2024-01-02', purchased_at: '2020-01-01' }),
    ].join('\n');
    const run = await importFile('sales.ndjson', lines);
    expect(run.out).toContain('The column "purchased_at" is a second column for date.\n');
    expect(run.out).not.toContain('ignored');
    expect(run.out).toContain('line 3: date has another value in the column "purchased_at".\n');
    expect(await dates()).toEqual(['2024-01-03', '2024-01-02']);
  });
});

describe('the import preset', () => {
  it.each(['gumroad', 'envato'] as const)(
    'the preset %s knows all columns of its marketplace, and reports any other column as unknown',
    async (name) => {
      const { columns, otherColumns } = presets[name];
      const header = [...new Set([...columns, ...otherColumns])].map((each) => each.toUpperCase());
      const text = `${header.map((each) => JSON.stringify(each)).join()},My question\n`;
      expect(await unknownOf('sales.csv', text, '--preset', name)).toEqual([{ column: 'My question' }]);
    },
  );
});

describe('a row with several problems', () => {
  const fieldsOf = (out: string) => [...out.matchAll(/line 2: (\S+) /g)].map(([, field]) => field);

  it.each([
    ['an invalid price and an invalid date', 'A,theme-1,-5,soon,', ['date', 'price']],
    ['an invalid price and an unknown item', 'A,nothing,1e3,2024-01-01,', ['item_external_id', 'price']],
    [
      'a price with too many decimals for the currency of the item',
      'A,theme-1,1.234,soon,',
      ['date', 'price'],
    ],
    ['an invalid price and an unknown currency', 'A,theme-1,x,2024-01-01,ABC', ['currency', 'price']],
    ['problems in all fields', ',,,,ABC', ['code', 'item_id', 'date', 'price', 'currency']],
  ])('a row with several problems is reported with each problem: %s', async (_case, row, fields) => {
    const run = await importFile('sales.csv', `code,item_external_id,price,date,currency\n${row}\n`);
    expect(fieldsOf(run.out).sort()).toEqual([...fields].sort());
    expect(run.out).toContain('1 invalid');
  });

  it('a row with a never-published item and other problems is reported with each problem', async () => {
    await given.item(workspaceId, { externalId: 'draft', state: 'draft' });
    const run = await importFile('sales.csv', 'code,item_external_id,price,date\nA,draft,-1,soon\n');
    expect(fieldsOf(run.out).sort()).toEqual(['date', 'item_external_id', 'price']);
  });
});
