// Exported files are private, and a wrong option never overwrites the imported file.
import { randomBytes } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;
let workspaceId: bigint;
let itemId: bigint;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

const run = (...args: string[]) => command.run(...args, '--workspace', String(workspaceId));

describe('the import command', () => {
  it('the import command refuses to overwrite the imported file with its report', async () => {
    const content = `code,item_id,price,date\nC-1,${itemId},5,2024-01-01\nbroken\n`;
    const file = await command.file('sales.csv', content);
    for (const report of [file, command.path('./sales.csv')]) {
      const outcome = await run('import', 'purchases', file, '--errors', report);
      expect(outcome).toMatchObject({ code: 2, out: '' });
      expect(outcome.err).toContain('--errors');
    }
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it('the import command refuses a field that is mapped twice', async () => {
    const file = await command.file('map.csv', 'code,a,b\n');
    const outcome = await run('import', 'purchases', file, '--map', 'price=a', 'price=b');
    expect(outcome).toMatchObject({ code: 2, out: '', err: '--map names price twice\n' });
  });

  it('an import of a published item reports each missing value by the name of its column', async () => {
    const file = await command.file(
      'items.csv',
      'external_id,kind,name,state,price_regular\nx,image,X,published,5\n',
    );
    for (const options of [[], ['--dry-run']]) {
      const { out } = await run('import', 'items', file, ...options);
      expect(out).toContain('1 invalid');
      const named = [...out.matchAll(/line 2: (\S+) is needed/g)].map(([, field]) => field);
      expect(named).toEqual(['thumbnail', 'preview_image']);
    }
  });
});

describe('the export command', () => {
  it('the export command makes an existing file readable only by its owner', async () => {
    const file = await command.file('out.csv', 'before');
    await chmod(file, 0o644);
    expect((await run('export', 'purchases', file)).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^code_hint,/);
  });

  it('the export command prints a one-line error if the output file cannot be written', async () => {
    for (const file of [command.path('no/such/folder.csv'), command.path('.')]) {
      const outcome = await run('export', 'items', file, '--format', 'csv');
      expect(outcome).toMatchObject({ code: 2, out: '' });
      expect(outcome.err).toMatch(/^\S+ cannot be written: E\w+: [^\n]*\n$/);
    }
  });
});

it('erase-buyer refuses an invalid purchase id', async () => {
  for (const id of ['x', '0', '1.5', '']) {
    const outcome = await run('erase-buyer', '--purchase', id);
    expect(outcome).toMatchObject({
      code: 2,
      out: '',
      err: '--purchase takes the number of a purchase\n',
    });
  }
});
