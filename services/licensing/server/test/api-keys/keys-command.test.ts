// `npm run licensing -- keys …`: an operator manages the keys of a workspace.
import { ServiceError } from '@counterfoil/kit/http/errors';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addKeyCommands } from '../../src/commands/keys-command.ts';
import { listAllWorkspaces } from '../../src/workspaces/queries.ts';
import { setUpLicensing } from '../environment/given.ts';
import { callWithKey } from '../environment/keys.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing();

async function command(line: string, input = ''): Promise<string> {
  const printed: string[] = [];
  const program = new Command('licensing').exitOverride().configureOutput({ writeErr: () => {} });
  addKeyCommands(program, {
    run: async (work) => work(given),
    print: (text) => void printed.push(text),
    readInput: async () => input,
  });
  for (const sub of program.commands[0]?.commands ?? []) {
    sub.exitOverride().configureOutput({ writeErr: () => {} });
  }
  await program.parseAsync(line.split(' '), { from: 'user' });
  return printed.join('\n');
}

it('the command creates, lists, rotates and revokes keys; the audit log names an operator', async () => {
  given.clock.now = new Date();
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  const created = await command(`keys create --workspace ${workspaceId} --name Site`);
  const [, id = '', secret = ''] = /^Key (\d+) of .*\n(ck_live_\S+)$/.exec(created) ?? [];
  expect(await callWithKey(given, secret)).toBe('ok');
  const listed = await command(`keys list --workspace ${workspaceId}`);
  expect(listed).toMatch(new RegExp(`${id} +active +ck_live_…${secret.slice(-4)} +Site`));
  expect(listed).not.toContain(secret);
  const rotated = await command(`keys rotate ${id} --workspace ${workspaceId} --overlap 1h`);
  const fresh = rotated.split('\n')[1] ?? '';
  expect([await callWithKey(given, fresh), await callWithKey(given, secret)]).toEqual(['ok', 'ok']);
  await command(`keys revoke ${id} --workspace ${workspaceId}`);
  await expect.poll(() => callWithKey(given, secret)).toBe('api_key_revoked');
  const { body } = await owner.get(`${owner.base}/audit-log`);
  const entries = body.data.entries.slice(0, 3);
  expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
    'api_key_revoked',
    'api_key_rotated',
    'api_key_created',
  ]);
  expect(entries[0].actor).toEqual({ kind: 'operator' });
});

it('a rotation can give the new key an expiry that the old key does not have', async () => {
  const workspaceId = await given.workspace();
  const end = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
  const created = await command(`keys create --workspace ${workspaceId} --name Site`);
  const id = /^Key (\d+)/.exec(created)?.[1];
  await command(`keys rotate ${id} --workspace ${workspaceId} --expires ${end}Z`);
  const [, newest = ''] = (await command(`keys list --workspace ${workspaceId}`)).split('\n');
  expect(newest).toContain(`${end}Z`);
});

it('the command imports a key from standard input, and refuses to import the same key again', async () => {
  const workspaceId = await given.workspace();
  const line = `keys import --workspace ${workspaceId} --name Old --scopes account:read,items:write`;
  const printed = await command(line, 'an-old-key-0123456789\n');
  expect(printed).not.toContain('an-old-key');
  expect(await callWithKey(given, 'an-old-key-0123456789')).toBe('ok');
  const again = await command(line, 'an-old-key-0123456789').catch((error: unknown) => error);
  expect((again as ServiceError).code).toBe('api_key_exists');
});

it.each([
  ['an unknown workspace', 'keys list --workspace 999999999', 'workspace_not_found'],
  ['an unknown workspace for a key', 'keys create --workspace 999999 --name X', 'workspace_not_found'],
  ['an unknown key', 'keys revoke 999999999 --workspace 1', 'api_key_not_found'],
  ['a time that is not valid', 'keys create --workspace 1 --name X --expires soon', 'invalid_parameter'],
])('a `keys` command with %s is refused', async (_title, line, code) => {
  const error = await command(line).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect((error as ServiceError).code).toBe(code);
});

it('the error names an unknown scope, and lists the choices if the overlap is invalid', async () => {
  await expect(command('keys create --workspace 1 --name X --scopes all')).rejects.toThrow(
    'there is no scope all',
  );
  await expect(command('keys rotate 1 --workspace 1 --overlap 2h')).rejects.toThrow('choices');
});

it('the command creates test keys in a workspace, but accepts no sandbox as the workspace', async () => {
  const workspaceId = await given.workspace();
  const create = `keys create --workspace ${workspaceId} --name Tests --test`;
  const [, secret = ''] = (await command(create)).split('\n');
  const [, publishable = ''] = (await command(`${create} --publishable`)).split('\n');
  expect([secret, publishable]).toEqual([
    expect.stringMatching(/^ck_test_[\w-]{43}$/),
    expect.stringMatching(/^ck_pub_test_[\w-]{43}$/),
  ]);
  const activated = await given.app.inject({
    method: 'POST',
    url: '/api/v1/activations',
    headers: { 'x-api-key': secret },
    payload: { purchase_code: '7e570000-0000-4000-8000-000000000001', domain: 'shop.example' },
  });
  expect(activated.json()).toMatchObject({ status: 'success', data: { created: true } });
  expect([await callWithKey(given, secret), await callWithKey(given, publishable)]).toEqual([
    'ok',
    'insufficient_scope',
  ]);
  const listed = await command(`keys list --workspace ${workspaceId}`);
  expect(listed).toContain(`ck_test_…${secret.slice(-4)}`);
  const { rows } = await given.db.query<{ id: bigint }>('select id from workspaces where sandbox_of = $1', [
    workspaceId,
  ]);
  const shown = await listAllWorkspaces(given.db, { after: [workspaceId - 1n], limit: 9 });
  expect(shown.map(({ id }) => id)).toEqual([workspaceId]);
  const inside = `keys create --workspace ${rows[0]?.id} --name Inside`;
  await expect(command(inside)).rejects.toMatchObject({ code: 'workspace_not_found' });
});
