// Problems in a file are reported by line, all other rows are imported, and a dry run reports the same
// problems.
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { countsOf, importTwice, importUnclosedQuote } from '../environment/import-trials.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;
let workspaceId: bigint;
let itemId: bigint;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

beforeEach(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId, { externalId: 'theme-1' });
});

const importFile = (file: string, ...options: string[]) =>
  command.run('import', 'purchases', file, '--workspace', String(workspaceId), ...options);

const header = 'code,item_id,price,date,buyer_name';
const row = (n: number, name = 'Bo') => `C-${n},${itemId},5,2024-01-01,${name}`;

describe('a misplaced or unclosed quote', () => {
  it.each([
    ['plain', 'Bo'],
    ['quoted', '"Ek, Bo"'],
    // A row has at most 1,000 lines, and a batch has 2,000 rows. 2,500 rows exceed both numbers.
  ])(
    'a wrong quote in one of 2,500 %s rows is reported once, and all other rows are imported',
    (_how, name) => importUnclosedQuote(given, command, { rows: 2500, name }),
  );

  it('a wrong quote is reported for each row that contains it, and all other rows are imported', async () => {
    const lines = [
      header,
      row(1),
      row(2, 'say "x"'),
      row(3, '"never'),
      row(4, '"never'),
      row(5),
      `"C-6",${itemId},5,2024-01-01,""`,
      `"C-7"x,${itemId},5,2024-01-01,Bo`,
      row(8, '"one\r\ntwo"'),
      row(9),
      row(10, '"open at the end'),
      row(11),
    ];
    const file = await command.file('quotes.csv', `${lines.join('\r\n')}\r\n`);
    const { out } = await importFile(file);
    expect(countsOf(out)).toBe('5 new, 0 updated, 0 unchanged, 0 in conflict, 6 invalid');
    const named = [...out.matchAll(/line (\d+): (\w+)/g)].map(([, line, field]) => [line, field]);
    expect(named).toEqual([
      ['3', 'row'],
      ['4', 'row'],
      ['5', 'row'],
      ['8', 'row'],
      ['9', 'buyer_name'],
      ['12', 'row'],
    ]);
  });

  it('a wrong quote in the header makes the whole file invalid', async () => {
    const file = await command.file('header.csv', `"code,item_id\n${row(1)}\n`);
    expect(await importFile(file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('header'),
    });
  });
});

it('the lines of a file may end with a carriage return alone', async () => {
  const file = await command.file('mac.csv', [header, row(1), row(2)].join('\r'));
  expect((await importFile(file)).out).toContain('2 new');
});

it('NDJSON values that are not texts are accepted only if they are exact and fit the field', async () => {
  const good = { code: 'J-1', item_id: Number(itemId), price: 5.5, date: '2024-01-01' };
  const texts = [
    { ...good, downloaded: true },
    { ...good, code: 4711 },
    { ...good, code: ['a', 'b'] },
    { ...good, code: true },
    { ...good, code: 1.5 },
    { ...good, item_id: [Number(itemId)] },
    { ...good, item_id: undefined, item_external_id: true },
    { ...good, buyer_name: false },
    { ...good, price: true },
    { ...good, date: ['2024-01-01'] },
  ].map((each) => JSON.stringify(each));
  const long = texts[1]?.replace('4711', '12345678901234567890');
  const file = await command.file('kinds.ndjson', [...texts, long].join('\n'));
  const { out } = await importFile(file);
  expect(countsOf(out)).toBe('2 new, 0 updated, 0 unchanged, 0 in conflict, 9 invalid');
  const named = [...out.matchAll(/line (\d+): (\w+)/g)].map(([, line, field]) => `${line} ${field}`);
  expect(named).toEqual([
    '3 code',
    '4 code',
    '5 code',
    '6 item_id',
    '7 item_external_id',
    '8 buyer_name',
    '9 price',
    '10 date',
    '11 code',
  ]);
});

it('the error for a code that is too long or not printable names the limit', async () => {
  const file = await command.file(
    'limit.csv',
    [header, row(1).replace('C-1', 'C\u0000'), row(2).replace('C-2', 'c'.repeat(129))].join('\n'),
  );
  const { out } = await importFile(file);
  expect(out.match(/code must have at most 128 printable characters/g)).toHaveLength(2);
});

it('problems are reported by ascending line number, even across batches', async () => {
  const rows = Array.from({ length: 2500 }, (_, i) => {
    if (i % 600 === 10) return row(i).replace(`,${itemId},`, ',999999999,');
    return i % 600 === 20 ? row(i).replace('2024', 'x') : row(i);
  });
  const file = await command.file('order.csv', [header, ...rows].join('\n'));
  const { out } = await importFile(file);
  const lines = [...out.matchAll(/line (\d+):/g)].map(([, line]) => Number(line));
  expect(lines).toHaveLength(10);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

describe('the counts of a dry run', () => {
  // A batch has 2,000 rows. So a row that is repeated 2,100 rows later is in another batch.
  it.each([0, 2100])(
    'a dry run counts like an import if %i rows are between two rows with the same code',
    (between) => importTwice(given, command, { between, update: false }),
  );

  it.each([0, 2100])(
    'a dry run counts like an import with --update if %i rows are between two rows with the same code',
    (between) => importTwice(given, command, { between, update: true }),
  );

  it('for a file of items, a dry run has the same counts as the real import', async () => {
    const lines = ['external_id,kind,name', 'a,image,One', 'a,image,Two', 'a,image,One', 'b,image,Three'];
    const file = await command.file('items.csv', lines.join('\n'));
    const run = async (...options: string[]) =>
      countsOf(
        (await command.run('import', 'items', file, '--workspace', String(workspaceId), ...options)).out,
      );
    const dry = await run('--dry-run');
    const dryUpdate = await run('--dry-run', '--update');
    expect(dryUpdate).toBe('2 new, 2 updated, 0 unchanged, 0 in conflict, 0 invalid');
    expect(await run()).toBe(dry);
    expect(dry).toBe('2 new, 0 updated, 1 unchanged, 1 in conflict, 0 invalid');
  });
});

describe('a command whose output cannot be written', () => {
  it('the import does not begin if the --errors file cannot be opened', async () => {
    const file = await command.file('fine.csv', [header, row(1), 'x'].join('\n'));
    for (const report of [command.path('no/such/folder.csv'), command.path('.')]) {
      const outcome = await importFile(file, '--errors', report);
      expect(outcome).toMatchObject({ code: 2, out: '' });
      expect(outcome.err).toContain('--errors');
      expect(outcome.err).not.toContain('    at ');
    }
    expect((await importFile(file)).out).toContain('1 new');
  });

  it.runIf(process.platform === 'linux')(
    'the import is completed without its --errors report if the disk is full (only on Linux)',
    async () => {
      const file = await command.file('full.csv', [header, row(1), 'x'].join('\n'));
      expect((await stat('/dev/full')).isFile()).toBe(false);
      const outcome = await importFile(file, '--errors', '/dev/full');
      expect(outcome).toMatchObject({ code: 1, out: expect.stringContaining('1 new') });
      expect(outcome.out).toContain('could not be written');
      expect(outcome.err).not.toContain('    at ');
    },
  );

  it('an export ends without an error when its reader disconnects', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => row(i, 'b'.repeat(190)));
    await importFile(await command.file('long.csv', [header, ...rows].join('\n')));
    const running = command.start('export', 'purchases', '--workspace', String(workspaceId));
    running.child.stdout?.once('data', () => running.child.stdout?.destroy());
    const outcome = await running.ended;
    expect(outcome.err).not.toMatch(/EPIPE| {4}at /);
    expect(outcome.code).toBe(0);
  });
});
