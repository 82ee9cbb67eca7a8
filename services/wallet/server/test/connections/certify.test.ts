// counterfoil providers certify passes this wallet, and names each bug of a broken one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certifyWallet } from '../../src/certify/certify-wallet.ts';
import { createSpeaker } from '../../src/certify/speakers/speakers.ts';
import { certifyThisWallet, runCertify } from '../environment/certify.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';
import {
  type Bug,
  createSmallWallet,
  type SmallWalletTerms,
  serveSmallWallet,
} from '../environment/small-wallets/softswiss.ts';
import { readBooks } from '../ledger/model/journal.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
  // The command signs with the machine's clock.
  given.clock.now = new Date();
});

afterAll(() => given.close());

it('certify passes every case of this wallet and leaves the balance as it was', async () => {
  const owner = await given.package({ credit: '100000.00' });
  const merchant = { merchant_id: 'merchant', merchant_key: 'merchant-key' };
  const { report, balance, refused, code } = await certifyThisWallet(given, owner, {
    dialect: 'slotegrator',
    secrets: { ours: merchant, theirs: merchant },
  });
  expect(report.cases.filter(({ verdict }: { verdict: string }) => verdict === 'failed')).toEqual([]);
  expect([code, refused, balance]).toEqual([0, '', 100]);
  expect(report).toMatchObject({ failed: 0, skipped: 1, taken: report.paid });
  expect((await readBooks(given.db, owner.id)).brokenLinks).toEqual([]);
});

/** Runs the command against a SoftSwiss wallet with one bug. */
async function certifySmall(bug?: Bug, { more = [], ...terms }: SmallWalletTerms & { more?: string[] } = {}) {
  const wallet = await serveSmallWallet(bug, terms);
  try {
    const credentials = { token: wallet.token };
    const result = await runCertify(given, 'softswiss', wallet.url, {
      credentials,
      more: ['--player', 'ann', ...more],
    });
    return { ...result, balance: wallet.balance() };
  } finally {
    await wallet.close();
  }
}

/** Runs all cases against a SoftSwiss wallet without HTTP, which takes a tenth of the time. */
async function certifyInMemory(bug?: Bug, { hasLimit = false } = {}) {
  const { token, send } = createSmallWallet(bug, { hasLimit });
  const { cases } = await certifyWallet({
    speaker: createSpeaker('softswiss', { credentials: { token }, decimals: 2, profile: '' }),
    caller: { playerId: 'ann', session: '', currency: 'EUR', gameId: 'dice' },
    send,
    decimals: 2,
    maxStake: hasLimit ? 5000n : undefined,
  });
  return { cases, failures: cases.filter(({ verdict }) => verdict === 'failed') };
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
      /too-fine-amounts: The wallet rounds amounts: a bet of.+ and the balance is 99\.00\./,
    ],
    [
      'rounds to tenths',
      ['exact-amounts', 'missing-funds'],
      /exact-amounts: The wallet rounds amounts: a bet of 0\.07.+ but .+ the balance is 99\.90\./,
    ],
    [
      'forgets tombstones',
      ['rollback-before-bet', 'rollback-before-win'],
      /rollback-before-bet: The wallet forgets a rollback that.+ its bet: .+, but it was accepted/,
    ],
    [
      'applies half a batch',
      ['atomic-batch', 'atomic-batch-invalid'],
      /atomic-batch: The wallet applies a part of a batch: .+leave a.+ but the balance is 99\.00\./,
    ],
    [
      'answers a repeat with the present balance',
      ['repeated-bet', 'repeated-win', 'repeated-rollback'],
      /repeated-bet: The wallet answers the repeat of a bet.+ answer again.+another answer/,
    ],
    [
      'answers a repeat with another id',
      ['repeated-bet', 'repeated-win', 'repeated-rollback', 'parallel-bets', 'reversal-of-win', 'batch'],
      /repeated-bet: The wallet answers the repeat of a bet differently.+it got another answer/,
    ],
    [
      'takes a repeated bet again',
      ['repeated-bet', 'repeated-win', 'parallel-bets'],
      /parallel-bets: The wallet does not apply equal bets .+ 99\.00, but the balance is 92\.00/,
    ],
    [
      'checks the signature after parsing',
      ['signature-before-parsing'],
      /signature-before-parsing: The wallet checks the signature.+ .+ but it was refused with 400/,
    ],
    [
      'checks no signature',
      [
        ...['wrong-signature', 'missing-signature', 'signature-before-parsing', 'signature-before-player'],
        'changed-body',
      ],
      /wrong-signature: The wallet accepts wrong signatures: .+ but.+ and the balance is 99\.00/,
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
      /invalid-json: The wallet does not refuse an invalid body.+ was refused with 400 and HTTP 500/,
    ],
    [
      'shows no balance without funds',
      ['missing-funds'],
      /missing-funds: .+ the refusal of a bet above the balance should contain the balance, but it did not\./,
    ],
  ])('that %s names the bug', async (bug, failed, sentence) => {
    const { failures } = await certifyInMemory(bug);
    expect(failures.map(({ id }) => id)).toEqual(failed);
    expect(failures.map(({ id, failure }) => `${id}: ${failure}`).join('\n')).toMatch(sentence);
  });

  it('prints the bugs, exits with status 1 and brings the balance back, if the wallet lets it', async () => {
    const { out, code, balance } = await certifySmall('takes a repeated bet again');
    const rows = [...out.matchAll(/^ {2}(\S+) .+ failed$/gm)].map(([, id]) => id);
    expect(rows).toEqual(['repeated-bet', 'repeated-win', 'parallel-bets']);
    expect(out).toMatch(/^✗ repeated-bet: The wallet answers the repeat of a bet differently or takes /m);
    expect(out).toContain('The balance is 100.00, as before.');
    expect([code, balance]).toEqual([1, 10_000]);
  });

  it('tests the maximum stake and skips the cases that bet more', async () => {
    const { cases, failures } = await certifyInMemory(undefined, { hasLimit: true });
    const find = (id: string) => cases.find((each) => each.id === id)?.verdict;
    expect([failures, find('maximum-stake'), find('whole-balance')]).toEqual([[], 'passed', 'skipped']);
    const { out, code } = await certifySmall('accepts every stake', { more: ['--max-stake', '50.00'] });
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
  const certify = (
    dialect: 'softswiss' | 'hub88' | 'slotegrator' | 'valkyrie',
    url: string,
    credentials: object,
  ) => runCertify(given, dialect, url, { credentials, more: ['--player', 'ann'] });
  const closed = 'http://127.0.0.1:1';

  it.each([
    ['ftp://a.example', 'the address must be an http or https URL'],
    ['http://a.example/?x=1', 'without a query'],
    ['http://name@a.example/', 'without a user name'],
  ])('with the address %s', async (url, sentence) => {
    const { refused, code } = await certify('softswiss', url, { token: 'x' });
    expect([refused, code]).toEqual([expect.stringContaining(sentence), 2]);
  });

  it('without the credentials of the dialect, and never prints a secret', async () => {
    const { refused } = await certify('slotegrator', closed, { merchant_id: 'm' });
    expect(refused).toContain('the credentials need merchant_key for slotegrator');
    const wrong = await runCertify(given, 'hub88', closed, {
      credentials: { private_key_pem: 'a-secret' },
      more: ['--player', 'ann', '--session', 's'],
    });
    expect(wrong.refused).toBe('private_key_pem is no RSA private key\n');
    const words = ['providers', 'certify', closed, '--dialect', 'softswiss', '--player', 'ann'];
    const absent = await runWalletCommand(given, [...words, '--credentials', '/no/such/file']);
    expect(absent.refused).toContain('ENOENT');
  });

  it('without a session in a dialect that needs one', async () => {
    const { refused } = await certify('valkyrie', closed, { token: 'x' });
    expect(refused).toContain('valkyrie needs --session');
  });

  it('if the wallet is unreachable, refuses the credentials, or the player is too poor', async () => {
    const unreachable = await certify('softswiss', closed, { token: 'x' });
    expect(unreachable.refused).toContain('The wallet cannot be reached: the connection failed');
    const wallet = await serveSmallWallet();
    const forged = await certify('softswiss', wallet.url, { token: 'other' });
    expect(forged.refused).toContain('it was refused with 403 and HTTP 400 (invalid signature)');
    await wallet.close();
    const { refused, code } = await certifySmall(undefined, { balance: 999 });
    expect([refused, code]).toEqual([
      expect.stringContaining('The player needs at least 10.00 but has 9.99'),
      2,
    ]);
  });
});
