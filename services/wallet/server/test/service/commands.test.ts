// The commands for packages, keys, tokens and people, with output as tables and as JSON.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readWalletConfig } from '../../src/config.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { sendWithToken } from '../environment/people.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});

afterAll(() => given.close());

const wallet = (...words: string[]) => runWalletCommand(given, words);

const json = async (...words: string[]) => JSON.parse((await wallet(...words, '--json')).out);

it('the commands create, approve, fund, suspend and resume a package', async () => {
  const made = await json(
    ...['packages', 'create', '--name', 'By Hand', '--currency', 'eur'],
    ...['--domain', 'a.example', '*.b.example', '--owner-email', 'hand@example.com'],
  );
  expect(made).toMatchObject({
    uid: expect.stringMatching(/^UID_/),
    api_key: expect.stringMatching(/^gpk_/),
    api_secret: expect.stringMatching(/^gps_/),
    callback_secret: expect.stringMatching(/^gps_/),
    aes_key: expect.any(String),
    owner_link: expect.stringContaining('#token='),
  });
  expect(await json('packages', 'approve', made.uid)).toMatchObject({
    state: 'approved',
    domains: ['a.example', '*.b.example'],
  });
  const amount = ['--amount', '250.00', '--transaction-id', 'hand-1'];
  const first = await json('packages', 'top-up', String(made.id), ...amount);
  expect(first).toMatchObject({ balance: 250, duplicate: false });
  const again = await wallet('packages', 'top-up', made.uid, ...amount);
  expect(again.out).toMatch(/applied before/);
  const back = ['--amount', '50', '--transaction-id', 'hand-2', '--reverse'];
  expect(await json('packages', 'top-up', made.uid, ...back)).toMatchObject({ balance: 200 });
  expect((await wallet('packages', 'suspend', made.uid)).out).toContain('By Hand is suspended.');
  expect((await wallet('packages', 'resume', made.uid)).out).toContain('is approved.');
  const { rows } = await given.db.query<{ actor_kind: string; action: string }>(
    'select actor_kind, action from audit_log where package_id = $1 order by id',
    [made.id],
  );
  expect(rows.map((row) => `${row.actor_kind} ${row.action}`)).toEqual([
    'operator package_issued',
    'operator invitation_made',
    'operator package_approved',
    'operator top_up_applied',
    'operator top_up_reversal_applied',
    'operator package_suspended',
    'operator package_resumed',
  ]);
});

it('`packages list` prints a table or JSON, and marks sandboxes', async () => {
  const owner = await given.package({ name: 'Listed', credit: '12.50' });
  const sandbox = await json('packages', 'sandbox', owner.uid);
  expect(sandbox.api_key).toMatch(/^gpk_test_/);
  const { out } = await wallet('packages', 'list');
  const lines = out.split('\n');
  expect(lines[0]).toMatch(/^ {2}ID +UID +NAME +STATE +CREDIT/);
  expect(lines[1]).toContain(`Listed (sandbox of ${owner.id})`);
  expect(lines[2]).toMatch(new RegExp(`${owner.uid} +Listed +approved +12.50 +EUR`));
  const listed = await json('packages', 'list');
  expect(listed.packages.slice(0, 2)).toMatchObject([{ sandbox: true }, { name: 'Listed', balance: 12.5 }]);
});

it('`packages rotate-keys` creates a second pair, and both pairs are valid during the overlap', async () => {
  const owner = await given.package();
  const rotated = await json('packages', 'rotate-keys', owner.uid, '--overlap', '1h');
  const call = (headers: Record<string, string>) =>
    given.app.inject({ url: '/api/v1/user/balance?player_id=x', headers });
  const fresh = {
    'x-uid': owner.uid,
    'x-api-key': rotated.api_key,
    'x-api-secret': rotated.api_secret,
  };
  expect((await call(fresh)).statusCode).toBe(404);
  expect((await call(owner.headers)).statusCode).toBe(404);
});

it('`keys list` shows the last use of each key pair', async () => {
  const owner = await given.package();
  const lastUse = '2026-05-04T10:00:00.000Z';
  await given.db.query(
    `insert into package_key_uses (package_id, key_id, last_used_at)
     select package_id, id, $2 from package_keys where package_id = $1 and purpose = 'caller'`,
    [owner.id, lastUse],
  );
  const { out } = await wallet('keys', 'list', '--package', owner.uid);
  expect(out).toMatch(/CREATED +LAST USED +ENDS/);
  expect(out).toMatch(new RegExp(`caller +active +\\S+ +${lastUse} +never`));
  expect(out).toMatch(/callback +active +\S+ +never +never/);
});

it('`verify` prints “1 movement” and “1 account” in the singular', async () => {
  const verify = async (uid: string) => (await wallet('verify', '--package', uid)).out;
  const owner = await given.package({ credit: '0' });
  expect(await verify(owner.uid)).toMatch(/: 0 movements, \d+ accounts?, head/);
  const topUp = ['--amount', '5', '--transaction-id', 'one'];
  await wallet('packages', 'top-up', owner.uid, ...topUp);
  expect(await verify(owner.uid)).toMatch(/: 1 movement, (1 account|\d+ accounts), head/);
});

it('the commands create, list and revoke admin tokens', async () => {
  const made = await json('admin-tokens', 'create', '--name', 'cron', '--days', '3650');
  const send = sendWithToken(given.app, made.token);
  expect((await send('GET', '/admin/v1/packages')).status).toBe(200);
  expect((await wallet('admin-tokens', 'list')).out).toMatch(/cron +….{4} +active/);
  expect((await wallet('admin-tokens', 'revoke', String(made.id))).out).toContain('is revoked');
  expect((await send('GET', '/admin/v1/packages')).status).toBe(401);
  expect(await json('admin-tokens', 'list')).toMatchObject([{ id: made.id, state: 'revoked' }]);
});

it('`admins create` prints an invitation link; `people reset-password` refuses unknown people', async () => {
  const invited = await wallet('admins', 'create', '--email', 'boss@example.com');
  expect(invited.out).toContain('#token=');
  const unknown = await wallet('people', 'reset-password', 'nobody@example.com');
  expect(unknown.refused).toContain('no such person');
});

const productionWithoutPublicUrl = () => {
  const env = {
    NODE_ENV: 'production',
    WALLET_DATABASE_URL: given.config.databaseUrl,
    MASTER_KEY: given.masterKeyText,
  };
  return { ...given, config: readWalletConfig(env, 'command') };
};

it.each([
  [['admins', 'create', '--email', 'late@example.com']],
  [['people', 'reset-password', 'boss@example.com']],
  [['packages', 'create', '--name', 'Linked', '--currency', 'EUR', '--owner-email', 'o@a.example']],
])(
  'the command %j is refused in production without WALLET_PUBLIC_URL, because it prints a link',
  async (words) => {
    const { out, refused, code } = await runWalletCommand(productionWithoutPublicUrl(), words);
    expect([out, code]).toEqual(['', 2]);
    expect(refused).toContain('WALLET_PUBLIC_URL is required');
    const { rows } = await given.db.query("select 1 from packages where name = 'Linked'");
    expect(rows).toEqual([]);
  },
);

it('in production without WALLET_PUBLIC_URL, a package is created, but no link is printed', async () => {
  const words = ['packages', 'create', '--name', 'No Link', '--currency', 'EUR', '--json'];
  const { out, code } = await runWalletCommand(productionWithoutPublicUrl(), words);
  expect([JSON.parse(out).owner_link, code]).toEqual([undefined, 0]);
});

it.each([
  [['packages', 'approve', 'UID_unknown'], 'There is no such package'],
  [['packages', 'approve', '0'], 'There is no such package'],
  [['packages', 'create', '--name', ' ', '--currency', 'EUR'], 'name needs 1 to 128'],
  [['packages', 'create', '--name', 'x', '--currency', 'XYZ'], 'currency must be'],
  [['admin-tokens', 'revoke', 'x'], 'x is not the number of a token'],
  [['admin-tokens', 'create', '--name', ' '], 'name needs 1 to 100'],
])('the command %j is refused without a stack trace', async (words, sentence) => {
  const { out, refused } = await wallet(...words);
  expect(out).toBe('');
  expect(refused).toContain(sentence);
  expect(refused).not.toContain('    at ');
});

it('an invalid `packages top-up` is refused, and its transaction id is not used up', async () => {
  const owner = await given.package({ credit: '0' });
  const topUp = (amount: string, id: string) =>
    wallet('packages', 'top-up', owner.uid, '--amount', amount, '--transaction-id', id);
  expect((await topUp('1.234', 'a')).refused).toContain('amount must be');
  expect((await topUp('1', 'x'.repeat(129))).refused).toContain('transaction_id needs');
  expect((await topUp('1.23', 'a')).out).toContain('1.23 EUR');
});

it('`packages create --decimals` issues a package with more decimals than its currency', async () => {
  const issue = ['packages', 'create', '--name', 'Fine', '--currency', 'EUR', '--decimals'];
  expect((await wallet(...issue, '1')).refused).toContain('decimals must be a number from 2');
  expect((await wallet(...issue, 'x')).refused).toContain('the decimals must be a number');
  const { uid } = await json(...issue, '5');
  const topUp = ['packages', 'top-up', uid, '--amount', '0.00001', '--transaction-id', 't'];
  expect((await wallet(...topUp)).out).toContain('0.00001 EUR');
  expect((await wallet('packages', 'show', uid)).out).toContain('EUR, 5 decimals');
});

it("commands set and remove the maximum stake of a package, and set a player's maximum stake", async () => {
  const owner = await given.package();
  const playerId = await given.player(owner);
  const limit = (amount: string) => json('packages', 'edit', owner.uid, '--max-stake', amount);
  expect(await limit('12.50')).toMatchObject({ max_stake: 12.5 });
  expect(await limit('none')).toMatchObject({ max_stake: null });
  const limitPlayer = ['players', 'max-stake', playerId, '7.00', '--package', owner.uid];
  expect(await json(...limitPlayer)).toMatchObject({ player_id: playerId, max_stake: 7 });
  const refused = await wallet('players', 'max-stake', playerId, '0', '--package', owner.uid);
  expect(refused.refused).toContain('max_stake must be');
});

it('`packages edit` switches the shared session of a package on and off', async () => {
  const { uid } = await given.package();
  const edit = (state: string) => json('packages', 'edit', uid, '--shared-launch', state);
  expect(await edit('on')).toMatchObject({ uid, shared_launch: true });
  expect(await edit('off')).toMatchObject({ uid, shared_launch: false });
});
