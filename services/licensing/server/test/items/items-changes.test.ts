// A change of a workspace invalidates its cached data in every process.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announceItemsChange, announceSellerChange } from '../../src/workspaces/workspace-changes.ts';
import { type CountedApp, openCountedApp } from '../environment/counted-app.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

let given: Given;
let one: CountedApp;
let other: CountedApp;

beforeAll(async () => {
  given = await givenLicensing();
  given.memoryClock.ms = 0;
  one = await openCountedApp(given);
  other = await openCountedApp(given);
});

afterAll(async () => {
  await one.close();
  await other.close();
  await given.close();
});

const namesAt = async (app: Pick<Given, 'app'>, key: string) => {
  const answer = await app.app.inject({ url: '/api/items/all', headers: { 'x-api-key': key } });
  return (answer.json().items as { name: string }[]).map((item) => item.name);
};

const pass = (ms: number) => {
  given.memoryClock.ms = (given.memoryClock.ms ?? 0) + ms;
};

/**
 * Advances the clock by more than 2 s. For 2 s after its own change, a process does not cache the workspace.
 */
const settle = () => pass(2100);

/**
 * Repeats the call until the answer comes from the cache. One call is not enough, because a late notification
 * may invalidate the cache.
 */
const namesFromMemory = (at: CountedApp, key: string) =>
  eventually(async () => {
    await namesAt(at, key);
    at.statements.length = 0;
    const names = await namesAt(at, key);
    expect(at.statements).toEqual([]);
    return names;
  });

it('a second request for the list needs no SQL query', async () => {
  const workspaceId = await given.workspace();
  const key = await given.apiKey(workspaceId);
  await given.item(workspaceId);
  settle();
  other.statements.length = 0;
  await namesAt(other, key);
  expect(other.statements, 'the first request reads the list').not.toEqual([]);
  expect(await namesFromMemory(other, key)).toEqual(['Test item']);
});

it('a change is listed at once by the process that makes it, and soon by other processes', async () => {
  const workspaceId = await given.workspace();
  const key = await given.apiKey(workspaceId);
  const itemId = await given.item(workspaceId, { name: 'Before' });
  settle();
  for (const app of [one, other]) expect(await namesFromMemory(app, key)).toEqual(['Before']);
  await given.db.transaction(async (tx) => {
    await tx.query(`update items set name = 'After' where id = $1`, [itemId]);
    await announceItemsChange(tx, workspaceId);
    // Reads the old list before the commit. The process must not cache this list, because the list is
    // outdated after the commit.
    expect(await namesAt(one, key)).toEqual(['Before']);
  });
  expect(await namesAt(one, key)).toEqual(['After']);
  await eventually(async () => expect(await namesAt(other, key)).toEqual(['After']));
  settle();
  for (const app of [one, other]) expect(await namesFromMemory(app, key)).toEqual(['After']);
});

it('a change by another process is in the list soon after its notification', async () => {
  const workspaceId = await given.workspace();
  const key = await given.apiKey(workspaceId);
  const itemId = await given.item(workspaceId, { name: 'Before' });
  settle();
  expect(await namesFromMemory(other, key)).toEqual(['Before']);
  await given.db.query(`update items set name = 'After' where id = $1`, [itemId]);
  await given.db.query(`select pg_notify('workspace_changes', $1)`, [`items ${workspaceId}`]);
  await eventually(async () => expect(await namesAt(other, key)).toEqual(['After']));
});

it('a change takes effect within 4 s even if its notification is lost', async () => {
  const workspaceId = await given.workspace();
  const key = await given.apiKey(workspaceId);
  const itemId = await given.item(workspaceId, { name: 'Before' });
  settle();
  expect(await namesFromMemory(other, key)).toEqual(['Before']);
  await given.db.query(`update items set name = 'After' where id = $1`, [itemId]);
  pass(4000);
  expect(await namesAt(other, key)).toEqual(['After']);
});

it('after support is switched off, the next validation has no supported_until', async () => {
  const workspaceId = await given.workspace();
  const key = await given.apiKey(workspaceId);
  const supportedUntil = new Date('2030-01-01T00:00:00Z');
  const item = await given.item(workspaceId);
  const { code } = await given.purchase(workspaceId, item, { supportedUntil });
  const supported = async () =>
    (await validate(one, json({ api_key: key, purchase_code: code }))).json().data.purchase.supported_until;
  expect(await supported()).toBe('2030-01-01T00:00:00Z');
  await given.db.transaction(async (tx) => {
    await tx.query('update workspaces set support_enabled = false where id = $1', [workspaceId]);
    await announceSellerChange(tx, workspaceId);
  });
  expect(await supported()).toBeUndefined();
});
