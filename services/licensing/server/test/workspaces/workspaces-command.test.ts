// `npm run licensing -- workspaces create`: a workspace and its owner's link, or all that is wrong.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let command: TestCommand;

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  command = await openCommand(given, masterKey);
});

afterAll(async () => {
  await command.close();
  await given.close();
});

const create = (name: string, email: string, currency: string) =>
  command.run(
    ...['workspaces', 'create', '--name', name, '--email', email, '--currency', currency],
  );

it('prints the link by which the owner sets a password', async () => {
  const outcome = await create(' Paperlane ', ' Ada@Example.com ', 'usd');
  expect(outcome).toMatchObject({ code: 0, err: '' });
  expect(outcome.out).toMatch(/^Workspace \d+ is open\..*\nhttp\S+\n$/);
  const { rows } = await given.db.query(
    `select w.name, a.email, a.currency from workspaces w
       join accounts a on a.workspace_id = w.id order by w.id desc limit 1`,
  );
  expect(rows).toEqual([{ name: 'Paperlane', email: 'ada@example.com', currency: 'USD' }]);
});

it('lists everything that is wrong at once, and opens nothing', async () => {
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
