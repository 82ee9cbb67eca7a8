// `import purchases` and `export purchases`: a repeated file changes nothing, a killed import is completed.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { importWithinMemory, killAndRepeat } from '../environment/import-trials.ts';

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

/** All stored purchases of the workspace, for comparisons. */
const snapshot = async () =>
  (
    await given.db.query<{ row: string }>(
      'select p::text as row from purchases p where workspace_id = $1 order by id',
      [workspaceId],
    )
  ).rows.map(({ row }) => row);

const csv = (...lines: string[]) => `${lines.join('\n')}\n`;
const header = 'code,item_id,price,date,buyer_name,buyer_email';
const sale = (n: number, more = 'Bo,bo@x.example') =>
  `CODE-${n},${itemId},19.99,2024-01-0${(n % 9) + 1},${more}`;

describe('an import of purchases', () => {
  it('an import reads every field from CSV and NDJSON, and the code then finds the purchase', async () => {
    const fields =
      'code,item_external_id,license_type,price,currency,state,date,supported_until,downloaded,buyer_name,buyer_email';
    const file = await command.file(
      'all.csv',
      csv(
        fields,
        'Full-1,theme-1,extended,0.07,EUR,disputed,2024-02-29 10:00:00,2025-01-01,yes,"Ek, Bo",BO@x.example',
      ),
    );
    expect(await importFile(file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 new'),
    });
    const object = {
      code: 'FULL-1',
      item_external_id: 'theme-1',
      license_type: 'Extended',
      price: 0.07,
      currency: 'EUR',
      state: 'disputed',
      date: '2024-02-29T10:00:00Z',
      supported_until: '2025-01-01T00:00:00Z',
      downloaded: true,
      buyer_name: 'Ek, Bo',
      buyer_email: 'bo@x.example',
      unknown: { ignored: true },
    };
    const lines = await command.file('all.ndjson', `${JSON.stringify(object)}\n\n`);
    expect(await importFile(lines)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 unchanged'),
    });
    const [client] = (await bothClients(given, workspaceId)) as [TestClient];
    const found = await client.send('GET', '/purchases?purchase_code=full-1');
    expect(found.body.data.purchases).toMatchObject([
      {
        item_id: Number(itemId),
        license_type: 'Extended',
        price: 0.07,
        currency: 'EUR',
        state: 'disputed',
        date: '2024-02-29T10:00:00Z',
        supported_until: '2025-01-01T00:00:00Z',
        downloaded: true,
        buyer: { name: 'Ek, Bo', email: 'bo@x.example' },
      },
    ]);
  });

  it('a file may have a BOM, CRLF, quotes, mapped columns in any order, and empty lines', async () => {
    const text = [
      '\ufeffBuyer,"Purchase Code",item_id,price,date',
      `"Bo ""B"" Ek",Q-1,${itemId},5,2024-01-01`,
      '',
      `plain,Q-2,${itemId},5,2024-01-01`,
    ].join('\r\n');
    const file = await command.file('quirks.csv', text);
    const outcome = await importFile(file, '--map', 'code=Purchase Code', 'buyer_name=buyer');
    expect(outcome).toMatchObject({ code: 0, out: expect.stringContaining('2 new') });
    expect((await snapshot()).join()).toContain('Bo ""B"" Ek');
  });

  it('an import of purchases with --delimiter reads cells that are separated by semicolons', async () => {
    const file = await command.file('semi.csv', csv('code;item_id;price;date', `S-1;${itemId};5;2024-01-01`));
    expect((await importFile(file, '--delimiter', ';')).out).toContain('1 new');
  });
});

describe('a second import of the same purchases', () => {
  it('a second import changes nothing, even after a buyer has downloaded the item', async () => {
    const file = await command.file('twice.csv', csv(header, sale(1), sale(2), sale(1)));
    expect((await importFile(file)).out).toContain('2 new, 0 updated, 1 unchanged, 0 in conflict');
    await given.db.query('update purchases set downloaded_at = now() where workspace_id = $1', [workspaceId]);
    const before = await snapshot();
    const again = await importFile(file);
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 new, 0 updated, 3 unchanged'),
    });
    expect(await snapshot()).toEqual(before);
  });

  it('a changed field is reported as a conflict, and is overwritten only with --update', async () => {
    await importFile(await command.file('first.csv', csv(header, sale(1), sale(2))));
    const before = await snapshot();
    const other = await command.file('other.csv', csv(header, sale(1).replace('19.99', '5'), sale(2)));
    const conflict = await importFile(other, '--errors', command.path('conflicts.csv'));
    expect(conflict).toMatchObject({
      code: 1,
      out: expect.stringContaining('1 unchanged, 1 in conflict'),
    });
    expect(await readFile(command.path('conflicts.csv'), 'utf8')).toBe(
      'line,field,reason\n2,price,differs from the stored value.\n',
    );
    expect(await snapshot()).toEqual(before);
    expect((await importFile(other, '--update')).out).toContain('1 updated, 1 unchanged');
    expect((await importFile(other)).out).toContain('2 unchanged');
  });

  it('a second import refuses a change of state that the stored state does not allow', async () => {
    const states = (state: string) =>
      command.file(
        'states.csv',
        csv('code,item_id,price,date,state', `ST-1,${itemId},5,2024-01-01,${state}`),
      );
    await importFile(await states('active'));
    expect((await importFile(await states('refunded'), '--update')).out).toContain('1 updated');
    const back = await importFile(await states('active'), '--update');
    expect(back).toMatchObject({
      code: 1,
      out: expect.stringContaining('is refunded and cannot become active'),
    });
  });

  it('a second import does not restore an erased buyer, not even with --update', async () => {
    const file = await command.file('erased.csv', csv(header, sale(1, 'Erin,erin@x.example')));
    await importFile(file);
    const erased = await command.run(
      'erase-buyer',
      '--workspace',
      String(workspaceId),
      '--email',
      'ERIN@x.example',
    );
    expect(erased).toMatchObject({ code: 0, out: 'The buyer was erased from 1 purchase.\n' });
    expect((await importFile(file)).out).toContain('1 unchanged');
    expect((await importFile(file, '--update')).out).toContain('1 unchanged');
    expect((await snapshot()).join()).not.toMatch(/erin/i);
  });
});

describe('invalid rows of an import', () => {
  it('invalid rows are reported by line, field and reason, and the valid rows are imported', async () => {
    const bytes = Buffer.concat([
      Buffer.from(csv(header, sale(1), `,${itemId},5,2024-01-01,,`, `W-2,999999999,5,2024-01-01,,`)),
      Buffer.from(
        `W-3,${itemId},5.001,2024-01-01,,\nW-4,${itemId},5,yesterday,,\nW-5,${itemId},5,2024-01-01,,no-mail\n`,
      ),
      Buffer.from(`W-6,${itemId},5,2024-01-01,`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(
        `,\nW-7,${itemId},5\nW-8,${itemId},5,2024-01-01,"two\nlines",\n"W-9"x,${itemId},5,2024-01-01,,\n`,
      ),
      Buffer.from(`${sale(2)}\nW-10,0x10,5,2024-01-01,,\n${'c'.repeat(129)},${itemId},5,2024-01-01,,\n`),
    ]);
    const file = await command.file('wrong.csv', bytes);
    const outcome = await importFile(file, '--errors', command.path('wrong-errors.csv'));
    expect(outcome).toMatchObject({ code: 1, out: expect.stringContaining('2 new') });
    const report = await readFile(command.path('wrong-errors.csv'), 'utf8');
    const problems = report
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 2).join(' '));
    expect(problems.sort()).toEqual(
      [
        '3 code',
        '4 item_id',
        '5 price',
        '6 date',
        '7 buyer_email',
        '8 buyer_name',
        '9 row',
        '10 buyer_name',
        '12 row',
        '14 item_id',
        '15 code',
      ].sort(),
    );
    expect(report + outcome.out + outcome.err).not.toContain('ccccc');
  });

  it('invalid NDJSON is reported: no JSON, no object, invalid UTF-8, an object as a value', async () => {
    const good = { code: 'N-1', item_id: Number(itemId), price: '5', date: '2024-01-01' };
    const bytes = Buffer.concat([
      Buffer.from(`${JSON.stringify(good)}\n{"code":\n[1]\n"x"\n`),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from(
        `${JSON.stringify({ ...good, code: { $ne: null } })}\n${JSON.stringify({ ...good, code: null })}\n`,
      ),
      Buffer.from(`${'x'.repeat(300_000)}\n${JSON.stringify({ ...good, code: 'N-2' })}`),
    ]);
    const outcome = await importFile(await command.file('wrong.ndjson', bytes));
    expect(outcome).toMatchObject({ code: 1, out: expect.stringContaining('9 rows') });
    expect(outcome.out).toContain('2 new, 0 updated, 0 unchanged, 0 in conflict, 7 invalid');
    for (const line of [2, 3, 4, 5, 6, 7, 8]) expect(outcome.out).toContain(`line ${line}: `);
  });

  it('invalid rows are printed only up to a limit, even if many lines follow an unclosed quote', async () => {
    const bad = Array.from({ length: 3000 }, (_, i) => `B-${i},${itemId},x,2024-01-01,,`);
    const open = `Z-1,${itemId},5,2024-01-01,"never closed,\n${`${'y'.repeat(99)}\n`.repeat(10_000)}`;
    const file = await command.file('many.csv', csv(header, ...bad, open));
    const outcome = await importFile(file);
    expect(outcome.code).toBe(1);
    expect(outcome.out).toMatch(/… and [\d,]+ more; use --errors FILE to store all/);
    expect(outcome.out.split('\n').length).toBeLessThan(30);
  });

  it('an unknown file, column, field or workspace gives exit status 2, and no row is imported', async () => {
    const file = await command.file('few.csv', csv(header, sale(1)));
    const outcomes = await Promise.all([
      importFile(command.path('none.csv')),
      importFile(file, '--map', 'code=No Such'),
      importFile(file, '--map', 'nothing=code'),
      importFile(file.replace('few.csv', 'few')),
      command.run('import', 'purchases', file, '--workspace', '999999'),
      command.run('import', 'purchases', file, '--workspace', 'x'),
    ]);
    for (const outcome of outcomes) {
      expect(outcome.code).toBe(2);
      expect(outcome.err).not.toContain('    at ');
    }
    expect(await snapshot()).toEqual([]);
  });
});

it('a dry run checks every row and changes nothing', async () => {
  await importFile(await command.file('real.csv', csv(header, sale(1))));
  const audit = async () =>
    (await given.db.query<{ n: bigint }>('select count(*) as n from audit_log')).rows[0]?.n;
  const before = [await snapshot(), await audit()];
  const file = await command.file(
    'dry.csv',
    csv(header, sale(1), sale(1).replace('19.99', '1'), sale(3), `D-4,${itemId},x,2024-01-01,,`),
  );
  const dry = await importFile(file, '--dry-run');
  expect(dry).toMatchObject({
    code: 1,
    out: expect.stringContaining('A dry run, nothing was changed'),
  });
  expect(dry.out).toContain('1 new, 0 updated, 1 unchanged, 1 in conflict, 1 invalid');
  expect((await importFile(file, '--dry-run', '--update')).out).toContain('1 new, 1 updated, 1 unchanged');
  expect([await snapshot(), await audit()]).toEqual(before);
});

it('an import that is killed and started again imports every row', () =>
  killAndRepeat(given, command, { rows: 4000 }));

it('an import has at most two batches and one row in memory, however long the file is', () =>
  importWithinMemory(given, { rows: 1000, batchSize: 100 }));

describe('an export of purchases', () => {
  it('an export masks codes by default and has no formulas, and its import changes nothing', async () => {
    const file = await command.file(
      'out.csv',
      csv(
        header,
        `=CODE-A,${itemId},19.99,2024-01-01,"=HYPERLINK(""x"")",a@x.example`,
        `CODE-B,${itemId},5,2024-01-02,-Bo,`,
      ),
    );
    await importFile(file);
    const masked = await command.run('export', 'purchases', '--workspace', String(workspaceId));
    expect(masked.out.split('\n')[0]).toMatch(/^code_hint,/);
    expect(masked.out).not.toMatch(/CODE-[AB]/);
    expect(masked.out).toContain(`"'=HYPERLINK`);
    for (const ending of ['csv', 'ndjson']) {
      const out = command.path(`with-codes.${ending}`);
      await command.run('export', 'purchases', out, '--workspace', String(workspaceId), '--with-codes');
      expect(await readFile(out, 'utf8')).toContain('CODE-B');
      expect((await importFile(out)).out).toContain('2 unchanged, 0 in conflict, 0 invalid');
    }
  });
});
