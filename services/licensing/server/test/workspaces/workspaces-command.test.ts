// `npm run licensing -- workspaces create`: prints a link for the owner, or all invalid options.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProgram } from '../../src/operating.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { setUpLicensing } from '../environment/given.ts';

const masterKey = randomBytes(32).toString('base64');
const given = setUpLicensing({ MASTER_KEY: masterKey });
let command: TestCommand;

beforeAll(async () => {
  command = await openCommand(given, masterKey);
});

afterAll(() => command.close());

const create = (name: string, email: string, currency: string) =>
  command.run(...['workspaces', 'create', '--name', name, '--email', email, '--currency', currency]);

it('the command `workspaces create` prints the link by which the owner sets a password', async () => {
  const outcome = await create(' Paperlane ', ' Ada@Example.com ', 'usd');
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toMatch(/^Workspace \d+ is open\..*\nhttp\S+\n$/);
  const { rows } = await given.db.query(
    `select w.name, a.email, a.currency from workspaces w
       join accounts a on a.workspace_id = w.id order by w.id desc limit 1`,
  );
  expect(rows).toEqual([{ name: 'Paperlane', email: 'ada@example.com', currency: 'USD' }]);
});

it('the command `workspaces create` reports all invalid options together', async () => {
  const before = await given.db.query('select from workspaces');
  const outcome = await create(' ', 'nobody', 'XYZ');
  expect(outcome).toMatchObject({ code: 2, out: '' });
  expect(outcome.err.trim().split('\n')).toEqual([
    '--name needs 1 to 128 printable characters',
    '--email nobody is not an e-mail',
    '--currency XYZ is no currency of ISO 4217',
  ]);
  expect((await given.db.query('select from workspaces')).rowCount).toBe(before.rowCount);
});

describe('the command line in production', () => {
  const runWith = async (settings: Record<string, string>, ...args: string[]) => {
    const printed: string[] = [];
    const env = {
      NODE_ENV: 'production',
      LICENSING_DATABASE_URL: given.config.databaseUrl,
      MASTER_KEY: masterKey,
      ...settings,
    };
    const terminal = { print: (line: string) => void printed.push(line), columns: 80 };
    const program = openProgram({ ...terminal, readInput: async () => '' }, { env });
    await program.parseAsync(args, { from: 'user' });
    return printed.join('\n');
  };
  const creation = [
    ...['workspaces', 'create', '--name', 'Inkwell'],
    ...['--email', 'ink@example.com', '--currency', 'EUR'],
  ];

  it.each([
    ['a new workspace', creation],
    ['a new password', ['people', 'reset-password', 'ada@example.com']],
  ])('a command that prints a link for %s is refused if the public URL is not set', async (_case, args) => {
    const before = await given.db.query('select from workspaces');
    await expect(runWith({}, ...args)).rejects.toThrow(
      'LICENSING_PUBLIC_URL is required when NODE_ENV is production',
    );
    expect((await given.db.query('select from workspaces')).rowCount).toBe(before.rowCount);
  });

  it('the command line needs no public URL for a command that prints no link', async () => {
    expect(await runWith({}, 'workspaces', 'list')).toContain('NAME');
  });

  it('the command line in production prints links that begin with the public URL', async () => {
    const url = 'https://licensing.example';
    expect(await runWith({ LICENSING_PUBLIC_URL: url }, ...creation)).toContain(`\n${url}/`);
  });
});
