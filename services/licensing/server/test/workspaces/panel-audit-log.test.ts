// A workspace's audit log contains every change of keys, people and settings that concerns the workspace.
import { expect, it } from 'vitest';
import { revokeApiKey } from '../../src/api-keys/change-api-key.ts';
import { setUpLicensing } from '../environment/given.ts';
import { givenPerson, givenSignedIn, openBrowser } from '../environment/panel-browser.ts';

const given = setUpLicensing();

const actions = (answer: { body: { data: { entries: { action: string }[] } } }) =>
  answer.body.data.entries.map((entry) => entry.action);

it('a sign-in is in the log of each workspace of the person, and in no other log', async () => {
  const [a, b, c] = [await given.workspace(), await given.workspace(), await given.workspace()];
  const person = await givenPerson(given, [
    { workspaceId: a, role: 'owner' },
    { workspaceId: b, role: 'member' },
  ]);
  const browser = openBrowser(given, '198.51.100.7');
  await browser.post('/panel/session', { email: person.email, password: person.password });
  for (const workspaceId of [a, b]) {
    const answer = await browser.get(`/panel/workspaces/${workspaceId}/audit-log`);
    expect(answer.body.data.entries).toMatchObject([
      {
        action: 'signed_in',
        actor: { kind: 'person', id: Number(person.id) },
        subject: { kind: 'person', id: String(person.id) },
        address: '198.51.100.7',
      },
    ]);
  }
  const { rows } = await given.db.query('select 1 from audit_log where workspace_id = $1', [c]);
  expect(rows).toEqual([]);
});

it('the audit log is paged, newest first, and can be filtered by action', async () => {
  const owner = await givenSignedIn(given, await given.workspace());
  for (let i = 0; i < 5; i++) await owner.patch(owner.base, { name: `Name ${i}` });
  const log = `${owner.base}/audit-log`;
  const first = await owner.get(`${log}?limit=4`);
  expect(actions(first)).toEqual(Array(4).fill('workspace_changed'));
  const second = await owner.get(`${log}?limit=4&cursor=${first.body.data.next_cursor}`);
  expect(actions(second)).toEqual(['workspace_changed', 'signed_in']);
  expect(second.body.data).not.toHaveProperty('next_cursor');
  expect(actions(await owner.get(`${log}?action=signed_in`))).toEqual(['signed_in']);
  expect((await owner.get(`${log}?action=';--`)).status).toBe(400);
});

it('an action at the command line has an operator as its actor', async () => {
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  const { body } = await owner.post(`${owner.base}/api-keys`, { name: 'X' });
  const id = BigInt(body.data.api_key.id);
  await given.db.transaction((tx) => revokeApiKey(tx, { workspaceId, id, actor: {}, at: given.clock.now }));
  const answer = await owner.get(`${owner.base}/audit-log?limit=1`);
  expect(answer.body.data.entries[0]).toMatchObject({
    action: 'api_key_revoked',
    actor: { kind: 'operator' },
    address: '',
  });
});

it('a failed change leaves no audit line, and a failed audit line rolls the change back', async () => {
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  await given.db.query(
    'alter table audit_log add constraint no_key check (action not like $$api_key%$$) not valid',
  );
  const failed = await owner.post(`${owner.base}/api-keys`, { name: 'X' });
  expect(failed.status).toBe(500);
  await given.db.query('alter table audit_log drop constraint no_key');
  expect((await owner.get(`${owner.base}/api-keys`)).body.data.api_keys).toEqual([]);
});
