// counterfoil providers certify: it passes this wallet in every dialect, and names each bug of a broken one.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DialectName, dialectNames } from '../../src/connections/dialects/dialect.ts';
import { insertSession } from '../../src/games/store.ts';
import { getAccount } from '../../src/players/queries.ts';
import { giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';
import { type Bug, openSmallWallet } from '../environment/small-softswiss-wallet.ts';
import { readBooks } from '../ledger/model/journal.ts';

let given: Given;
let owner: GivenPackage;
let folder: string;

beforeAll(async () => {
  given = await givenWallet();
  // The command signs with the machine's clock.
  given.clock.now = new Date();
  owner = await given.package({ credit: '100000.00' });
  folder = await mkdtemp(join(tmpdir(), 'certify-'));
});

afterAll(async () => {
  await given.close();
  await rm(folder, { recursive: true });
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const merchant = { merchant_id: 'merchant', merchant_key: 'merchant-key' };

const secrets: Record<DialectName, { ours: Record<string, string>; theirs: Record<string, string> }> = {
  softswiss: { ours: { token: 'a-token' }, theirs: { token: 'a-token' } },
  hub88: { ours: { provider_public_key_pem: publicKeyPem }, theirs: { private_key_pem: privateKeyPem } },
  slotegrator: { ours: merchant, theirs: merchant },
  valkyrie: {
    ours: { token: 'pam-token', recon_token: 'a-recon-token-of-at-least-32-letters' },
    theirs: { token: 'pam-token' },
  },
};

let files = 0;

async function certify(dialect: DialectName, url: string, credentials: object, ...more: string[]) {
  const file = join(folder, `${++files}.json`);
  await writeFile(file, JSON.stringify(credentials));
  const words = ['providers', 'certify', url, '--dialect', dialect, '--credentials', file, ...more];
  return runWalletCommand(given, words);
}

/** A connection of this wallet, a player with 100.00 and a session, and the command for them. */
async function openPlayer(dialect: DialectName, profile = '') {
  const { ours, theirs } = secrets[dialect];
  const connection = await giveConnection(given, owner, { dialect, profile, secrets: ours });
  const playerId = await given.player(owner, { balance: '100.00' });
  const session = `gs_${playerId}`;
  await insertSession(given.db, {
    packageId: owner.id,
    sessionId: session,
    accountId: await getAccount(given.db, owner.id, playerId),
    gameId: 'dice',
    mode: 'real',
    createdAt: given.clock.now,
    expiresAt: new Date(given.clock.now.getTime() + 3_600_000),
    connectionId: connection.id,
  });
  const { port } = given.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/providers/${connection.id}`;
  const run = (...more: string[]) =>
    certify(dialect, url, theirs, '--player', playerId, '--session', session, ...more);
  return { playerId, run };
}

describe.each(dialectNames)('certify of this wallet in the dialect %s', (dialect) => {
  it('passes every case and leaves the balance as it was', async () => {
    const { run, playerId } = await openPlayer(dialect);
    const { out, refused, code } = await run('--json');
    const report = JSON.parse(out);
    expect(report.cases.filter(({ verdict }: { verdict: string }) => verdict === 'failed')).toEqual([]);
    expect([code, refused]).toEqual([0, '']);
    expect(report).toMatchObject({
      dialect,
      failed: 0,
      skipped: 1,
      balance_before: '100.00',
      balance_after: '100.00',
      taken: report.paid,
    });
    expect(report.passed).toBeGreaterThan(25);
    const read = await given.app.inject({
      url: `/api/v1/user/balance?player_id=${playerId}`,
      headers: owner.headers,
    });
    expect(read.json().data.balance).toBe(100);
    expect((await readBooks(given.db, owner.id)).brokenLinks).toEqual([]);
  });
});

it('certify of this wallet passes every case of the profile caleta', async () => {
  const { run } = await openPlayer('hub88', 'caleta');
  const { out, code } = await run('--profile', 'caleta');
  expect(out).toContain(' 0 failed');
  expect(code).toBe(0);
});

/** Runs the command against a SoftSwiss wallet with one bug. */
async function certifySmall(bug?: Bug, { hasLimit = false, more = [] as string[] } = {}) {
  const wallet = await openSmallWallet(bug, { hasLimit });
  try {
    const args = ['--player', 'ann', ...more];
    const result = await certify('softswiss', wallet.url, { token: wallet.token }, ...args);
    return { ...result, balance: wallet.balance() };
  } finally {
    await wallet.close();
  }
}

describe('certify of another wallet', () => {
  it('prints a table and how much money moved', async () => {
    const { out, code, balance } = await certifySmall();
    expect(out).toMatch(/^ {2}CASE +EXPECTED +SEEN +VERDICT$/m);
    expect(out).toMatch(/^ {2}repeated-bet +A repeated bet gets the first answer.+as expected +passed$/m);
    expect(out).toMatch(/^ {2}maximum-stake .+needs --max-stake +skipped$/m);
    expect(out).toMatch(/^\d+ passed, 0 failed, 1 skipped\.$/m);
    expect(out).toMatch(
      /^The cases took (\d+\.\d\d) from the player and paid \1\. The balance is 100\.00, as before\.$/m,
    );
    expect([code, balance]).toEqual([0, 10_000]);
  });

  it.each<[Bug, string[], RegExp]>([
    [
      'rounds fine amounts',
      ['too-fine-amounts'],
      /too-fine-amounts: The wallet rounds amounts: a bet of "1\.005" should be refused with 400 .+, but it was accepted and the balance is 99\.00\./,
    ],
    [
      'rounds to tenths',
      ['exact-amounts', 'missing-funds'],
      /exact-amounts: The wallet rounds amounts: a bet of 0\.07 should be accepted and leave a balance of 99\.93, but .+ the balance is 99\.90\./,
    ],
    [
      'forgets tombstones',
      ['rollback-before-bet', 'rollback-before-win'],
      /rollback-before-bet: The wallet forgets a rollback that arrives before its bet: .+, but it was accepted/,
    ],
    [
      'applies half a batch',
      ['atomic-batch', 'atomic-batch-invalid'],
      /atomic-batch: The wallet applies a part of a batch: .+leave a balance of 100\.00, but the balance is 99\.00\./,
    ],
    [
      'answers a repeat with the present balance',
      ['repeated-bet', 'repeated-win', 'repeated-rollback'],
      /repeated-bet: The wallet answers the repeat of a bet differently.+get the first answer again.+another answer/,
    ],
    [
      'answers a repeat with another id',
      ['repeated-bet', 'repeated-win', 'repeated-rollback', 'parallel-bets', 'reversal-of-win', 'batch'],
      /repeated-bet: The wallet answers the repeat of a bet differently.+it got another answer/,
    ],
    [
      'takes a repeated bet again',
      ['repeated-bet', 'repeated-win', 'parallel-bets'],
      /parallel-bets: The wallet does not apply equal bets .+ exactly once: .+ balance of 99\.00, but the balance is 92\.00/,
    ],
    [
      'checks the signature after parsing',
      ['signature-before-parsing'],
      /signature-before-parsing: The wallet checks the signature after it parses the body: .+ 403 .+ but it was refused with 400/,
    ],
    [
      'checks no signature',
      [
        ...['wrong-signature', 'missing-signature', 'signature-before-parsing', 'signature-before-player'],
        'changed-body',
      ],
      /wrong-signature: The wallet accepts wrong signatures: .+ but it was accepted and the balance is 99\.00/,
    ],
    [
      'lets a reversal overdraw',
      ['clamped-reversal'],
      /clamped-reversal: The wallet does not stop at zero when it takes a win back: /,
    ],
    [
      'answers bad input with 500',
      [
        ...['too-fine-amounts', 'invalid-amounts', 'reused-id', 'atomic-batch-invalid'],
        ...['invalid-json', 'missing-id', 'large-body'],
      ],
      /invalid-json: The wallet does not refuse an invalid body correctly: .+ but it was refused with 400 and HTTP 500/,
    ],
    [
      'shows no balance without funds',
      ['missing-funds'],
      /missing-funds: .+ the refusal of a bet above the balance should contain the balance, but it did not\./,
    ],
  ])('that %s names the bug and exits with status 1', async (bug, failed, sentence) => {
    const { out, code } = await certifySmall(bug);
    const rows = [...out.matchAll(/^ {2}(\S+) .+ failed$/gm)].map(([, id]) => id);
    expect(rows).toEqual(failed);
    expect(out).toMatch(sentence);
    expect(code).toBe(1);
  });

  it('brings the balance back after a failed case, if the wallet lets it', async () => {
    const { out, balance } = await certifySmall('takes a repeated bet again');
    expect(out).toContain('The balance is 100.00, as before.');
    expect(balance).toBe(10_000);
  });

  it('tests the maximum stake and skips the cases that bet more', async () => {
    const limit = { hasLimit: true, more: ['--max-stake', '50.00', '--json'] };
    const report = JSON.parse((await certifySmall(undefined, limit)).out);
    const find = (id: string) => report.cases.find((each: { id: string }) => each.id === id).verdict;
    expect([report.failed, find('maximum-stake'), find('whole-balance')]).toEqual([0, 'passed', 'skipped']);
    const { out, code } = await certifySmall('accepts every stake', limit);
    expect(out).toContain('The wallet does not keep the maximum stake: a bet of 50.01');
    expect(code).toBe(1);
  });

  it('reports a wallet that stops answering, and skips the cases that follow', async () => {
    const { out, code } = await certifySmall('dies');
    expect(out).toContain('The wallet sent no answer: the connection failed');
    expect(out).toMatch(/ 1 failed, \d\d skipped/);
    expect(out).toContain('The balance is unknown.');
    expect(code).toBe(1);
  });
});

describe('certify refuses to start', () => {
  const run = (...words: string[]) => runWalletCommand(given, ['providers', 'certify', ...words]);

  it.each([
    ['ftp://a.example', 'the address must be an http or https URL'],
    ['http://a.example/?x=1', 'without a query'],
    ['http://name@a.example/', 'without a user name'],
  ])('with the address %s', async (url, sentence) => {
    const { refused, code } = await certify('softswiss', url, { token: 'x' }, '--player', 'ann');
    expect([refused, code]).toEqual([expect.stringContaining(sentence), 2]);
  });

  it('without the credentials of the dialect, and never prints a secret', async () => {
    const { refused } = await certify(
      'slotegrator',
      'http://127.0.0.1:1',
      { merchant_id: 'm' },
      '--player',
      'a',
    );
    expect(refused).toContain('the credentials need merchant_key for slotegrator');
    const pem = { private_key_pem: 'a-secret' };
    const wrong = await certify('hub88', 'http://127.0.0.1:1', pem, '--player', 'a', '--session', 's');
    expect(wrong.refused).toBe('private_key_pem is no RSA private key\n');
    const args = ['http://127.0.0.1:1', '--dialect', 'softswiss', '--player', 'a'];
    expect((await run(...args, '--credentials', join(folder, 'none'))).refused).toContain('ENOENT');
  });

  it('without a session in a dialect that needs one', async () => {
    const { refused } = await certify('valkyrie', 'http://127.0.0.1:1', { token: 'x' }, '--player', 'a');
    expect(refused).toContain('valkyrie needs --session');
  });

  it('if the wallet cannot be reached, does not accept the credentials, or the player is too poor', async () => {
    const closed = await certify('softswiss', 'http://127.0.0.1:1', { token: 'x' }, '--player', 'ann');
    expect(closed.refused).toContain('The wallet cannot be reached: the connection failed');
    const wallet = await openSmallWallet();
    const forged = await certify('softswiss', wallet.url, { token: 'other' }, '--player', 'ann');
    expect(forged.refused).toContain('it was refused with 403 and HTTP 400 (invalid signature)');
    await wallet.close();
    const poor = await openSmallWallet(undefined, { balance: 999 });
    const { refused, code } = await certify('softswiss', poor.url, { token: poor.token }, '--player', 'ann');
    expect([refused, code]).toEqual([
      expect.stringContaining('The player needs at least 10.00 but has 9.99'),
      2,
    ]);
    await poor.close();
  });
});
