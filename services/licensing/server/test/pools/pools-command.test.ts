// The commands that list pools, generate codes, and export or withdraw free codes.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
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

it('an operator generates, lists, exports and withdraws the codes of a pool', async () => {
  const workspaceId = await given.workspace();
  const itemId = Number(await given.item(workspaceId));
  const [client] = (await bothClients(given, workspaceId)) as [TestClient, TestClient];
  const created = await client.send('POST', '/pools', { item_id: itemId, name: 'Shop' });
  const id = String(created.body.data.pool.id);
  const run = (verb: string, ...rest: string[]) =>
    command.run('pools', verb, ...rest, '--workspace', String(workspaceId));
  expect((await run('generate', id, '--free', '2')).out).toBe('2 codes were generated.\n');
  const again = JSON.parse((await run('generate', id, '--free', '2', '--json')).out);
  expect(again).toMatchObject({ generated: 0, pool: { free: 2 } });
  const listed = JSON.parse((await run('list', '--json')).out);
  expect(listed).toMatchObject({ pools: [{ name: 'Shop', free: 2 }], next_cursor: null });
  expect((await run('list')).out).toMatch(/Shop +\d+ +2 +0 +0 +no/);
  const file = command.path('free.csv');
  await run('export', id, file);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  expect(lines).toEqual(['code', expect.stringMatching(/^[0-9a-f-]{36}$/), expect.any(String)]);
  expect((await run('withdraw', id)).out).toBe('2 codes were withdrawn.\n');
  expect((await run('generate', id, '--free', '0')).err).toContain('--free takes a number from 1 to 100000');
  for (const verb of [['generate', '--free', '1'], ['export'], ['withdraw']]) {
    const [name = '', ...options] = verb;
    expect(await run(name, '999999999', ...options)).toMatchObject({ code: 4 });
  }
});
