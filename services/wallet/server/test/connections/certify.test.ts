// `counterfoil providers certify` passes this wallet, and names each bug of a broken wallet.
import { createServer, type RequestListener } from 'node:http';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certifyWallet } from '../../src/certify/certify-wallet.ts';
import { createSender } from '../../src/certify/send-request.ts';
import { createSpeaker } from '../../src/certify/speakers/speakers.ts';
import { type DialectName, dialectNames } from '../../src/connections/dialects/dialect.ts';
import { certifySmallWallet, certifyThisWallet, runCertify, stakeOf } from '../environment/certify.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { runWalletCommand } from '../environment/run-wallet-command.ts';
import { type Bug, listBugs } from '../environment/small-wallets/bugs.ts';
import { serveSmallWallet } from '../environment/small-wallets/small-wallet.ts';
import { readBooks } from '../ledger/model/journal.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});

afterAll(() => given.close());

it('this wallet passes every case of certify and leaves the balance unchanged', async () => {
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

interface SmallRun {
  readonly balance?: bigint;
  readonly maxRequests?: number;
  readonly more?: readonly string[];
}

/** Runs the command against a small SoftSwiss wallet with one bug, over HTTP. */
async function runSmall(bug?: Bug, { balance = 10_000n, maxRequests, more = [] }: SmallRun = {}) {
  const wallet = await serveSmallWallet({ dialect: 'softswiss', bug, balance }, maxRequests);
  try {
    const { url, credentials } = wallet;
    const options = { credentials, more: ['--player', 'ann', ...more] };
    const result = await runCertify(given, 'softswiss', url, options);
    return { ...result, balance: wallet.balance() };
  } finally {
    await wallet.close();
  }
}

/** Patterns of the sentences with which the command names the most important bugs. */
const sentences: Partial<Record<Bug, RegExp>> = {
  'rounds fine amounts':
    /too-fine-amounts: The wallet rounds amounts: a bet of "1\.005" .+ and the balance is 98\.99\./,
  'rounds to tenths':
    /exact-amounts: The wallet rounds amounts: a bet of 0\.07.+ but .+ the balance is 99\.90\./,
  'lets a bet overdraw':
    /missing-funds: .+ a bet of 100\.01 .+ but it was accepted and the balance is -0\.01/,
  'shows no balance in refusals': /missing-funds: .+ should contain the balance 100\.00, but it did not\./,
  'applies repeats':
    /parallel-bets: The wallet does not apply exactly one .+ 99\.00, but the balance is 92\.00/,
  'refuses repeats': /repeated-bet: .+ should get the first answer again .+ but it was refused with 400/,
  'answers a repeat with another balance':
    /repeated-bet: The wallet answers the repeat of a bet.+ answer again.+another answer/,
  'forgets tombstones':
    /rollback-before-bet: The wallet forgets a rollback that.+ its bet: .+, but it was accepted/,
  'lets a reversal overdraw':
    /clamped-reversal: The wallet does not stop at zero when it takes a win back: .+ is -1\.50\./,
  'applies half a batch':
    /atomic-batch: The wallet applies a part of a batch: .+leave a.+ but the balance is 99\.00\./,
  'checks no signature':
    /wrong-signature: The wallet accepts wrong signatures: .+ but.+ and the balance is 99\.00/,
  'checks the signature after parsing':
    /signature-before-parsing: The wallet checks the signature.+ .+ but it was refused with 400/,
  'answers bad input with HTTP 500':
    /invalid-json: The wallet answers a wrong request with a server error: .+ with 400 and HTTP 500/,
  'answers bad input as missing funds':
    /invalid-json: The wallet wrongly names missing funds as the reason: .+refused with 100/,
};

describe('certifying another wallet', () => {
  it('certify prints a table of the cases and the amount of money that moved', async () => {
    const { out, code, balance } = await runSmall();
    expect(out).toMatch(/^ {2}CASE +EXPECTED +SEEN +VERDICT$/m);
    expect(out).toMatch(/^ {2}repeated-bet +A repeated bet gets the first answer.+as expected +passed$/m);
    expect(out).toMatch(/^ {2}maximum-stake .+needs --max-stake +skipped$/m);
    expect(out).toMatch(/^ {2}blocked-player .+needs --blocked-player +skipped$/m);
    expect(out).toMatch(/^\d+ passed, 0 failed, 2 skipped\.$/m);
    expect(out).toMatch(
      /^The cases took (\d+\.\d\d) from the player and paid \1\. The balance is 100\.00, as before\.$/m,
    );
    expect([code, balance]).toEqual([0, 10_000n]);
  });

  it.each(listBugs('softswiss'))(
    'if a wallet %s, the report names this bug and the cases that fail',
    async (bug, failed) => {
      const { failures } = await certifySmallWallet({ dialect: 'softswiss', bug, maxStake: stakeOf(bug) });
      expect(failures.map(({ id }) => id)).toEqual(failed);
      const text = failures.map(({ id, failure }) => `${id}: ${failure}`).join('\n');
      expect(text).toMatch(sentences[bug] ?? /^/);
    },
  );

  it('certify prints the bugs, exits with status 1, and restores the balance if possible', async () => {
    const { out, code, balance } = await runSmall('applies repeats');
    const rows = [...out.matchAll(/^ {2}(\S+) .+ failed$/gm)].map(([, id]) => id);
    expect(rows).toEqual(['repeated-bet', 'repeated-win', 'parallel-bets', 'reused-id', 'batch']);
    expect(out).toMatch(/^✗ repeated-bet: The wallet answers the repeat of a bet differently or takes /m);
    expect(out).toContain('The balance is 100.00, as before.');
    expect([code, balance]).toEqual([1, 10_000n]);
  });

  it('with a maximum stake, certify tests the limit, and skips the cases that bet more', async () => {
    const { cases, failures } = await certifySmallWallet({ dialect: 'softswiss', maxStake: 5000n });
    const find = (id: string) => cases.find((each) => each.id === id)?.verdict;
    expect([failures, find('maximum-stake'), find('whole-balance')]).toEqual([[], 'passed', 'skipped']);
    // The command is told that the maximum stake is 50.00, but this wallet has no maximum stake.
    const { out, code } = await runSmall(undefined, { more: ['--max-stake', '50.00'] });
    expect(out).toContain('The wallet does not enforce the maximum stake: a bet of 50.01');
    expect(code).toBe(1);
  });

  it('certify reports a wallet that stops answering, and skips the cases that follow', async () => {
    const { out, code } = await runSmall(undefined, { maxRequests: 10 });
    expect(out).toContain('The wallet sent no answer: the connection failed');
    expect(out).toMatch(/ 1 failed, \d\d skipped/);
    expect(out).toContain('The balance is unknown.');
    expect(code).toBe(1);
  });
});

describe('invalid arguments of certify', () => {
  const certify = (dialect: DialectName, url: string, credentials: object, ...more: string[]) =>
    runCertify(given, dialect, url, { credentials, more: ['--player', 'ann', ...more] });
  const closed = 'http://127.0.0.1:1';

  it.each([
    ['ftp://a.example', 'the address must be an http or https URL'],
    ['http://a.example/?x=1', 'without a query'],
    ['http://name@a.example/', 'without a user name'],
  ])('certify refuses the URL %s', async (url, sentence) => {
    const { refused, code } = await certify('softswiss', url, { token: 'x' });
    expect([refused, code]).toEqual([expect.stringContaining(sentence), 2]);
  });

  it('certify refuses missing and invalid credentials, and prints no secret', async () => {
    const { refused } = await certify('slotegrator', closed, { merchant_id: 'm' });
    expect(refused).toContain('the credentials need merchant_key for slotegrator');
    const key = { private_key_pem: 'a-secret' };
    const wrong = await certify('hub88', closed, key, '--session', 's');
    expect(wrong.refused).toBe('private_key_pem is no RSA private key\n');
    const words = ['providers', 'certify', closed, '--dialect', 'softswiss', '--player', 'ann'];
    const absent = await runWalletCommand(given, [...words, '--credentials', '/no/such/file']);
    expect(absent.refused).toContain('ENOENT');
  });

  it('certify refuses to start without a session in a dialect that needs one', async () => {
    const { refused } = await certify('valkyrie', closed, { token: 'x' });
    expect(refused).toContain('valkyrie needs --session');
    const blocked = ['--session', 's', '--blocked-player', 'eve'];
    const other = await certify('valkyrie', closed, { token: 'x' }, ...blocked);
    expect(other.refused).toContain('valkyrie needs --blocked-session');
  });

  it('certify stops if the wallet refuses the credentials or the player lacks money', async () => {
    const wallet = await serveSmallWallet({ dialect: 'softswiss' });
    const forged = await certify('softswiss', wallet.url, { token: 'other' });
    expect(forged.refused).toContain(
      'it was refused with 403 and HTTP 400 (invalid signature); check --credentials.',
    );
    await wallet.close();
    const { refused, code } = await runSmall(undefined, { balance: 999n });
    expect([refused, code]).toEqual([
      expect.stringContaining('The player needs at least 10.00 but has 9.99'),
      2,
    ]);
  });
});

describe('certifying a URL that is not a wallet of the given dialect', () => {
  const serve = async (answer: RequestListener) => {
    const server = createServer(answer);
    server.keepAliveTimeout = 0;
    const port = await findFreePort();
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const close = async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    };
    return { port, url: `http://127.0.0.1:${port}`, close };
  };
  const certify = (url: string) =>
    runCertify(given, 'softswiss', url, { credentials: { token: 'x' }, more: ['--player', 'ann'] });

  it.each<[string, number, Record<string, string>, string, RegExp]>([
    ['a web page', 200, {}, '<!DOCTYPE html><p>Hi', /not belong to a wallet: .+ a web page \(HTTP 200\)/],
    ['no page', 404, {}, '<html>Not found', /a web page \(HTTP 404\); check the path of the address/],
    ['no content', 204, {}, '', /an empty body \(HTTP 204\)/],
    ['a list', 200, {}, '[]', /a text that is not a JSON object \(HTTP 200\)/],
    [
      'a redirect',
      301,
      { location: 'https://b.example/' },
      '',
      /redirects to https:\/\/b\.example\/ \(HTTP 301\)/,
    ],
    [
      'other JSON',
      200,
      {},
      '{"ok":true}',
      /had no balance with the right number of decimals; check the address/,
    ],
    [
      'an error in JSON',
      404,
      {},
      '{"msg":"gone"}',
      /no code and HTTP 404; the answer is not in the dialect softswiss/,
    ],
    ['Hub88', 200, {}, '{"status":"RS_OK","balance":5}', /answers in the dialect hub88 instead of softswiss/],
    ['Valkyrie', 401, {}, '{"status":"ERROR"}', /answers in the dialect valkyrie instead of softswiss/],
    ['Slotegrator', 200, {}, '{"error_code":"INTERNAL_ERROR"}', /in the dialect slotegrator instead of/],
  ])('certify prints only a reason for a URL with %s', async (_name, status, headers, body, reason) => {
    const { url, close } = await serve((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    const { out, refused, code } = await certify(url);
    await close();
    expect([out, refused, code]).toEqual(['', expect.stringMatching(reason), 2]);
    expect(refused.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each(dialectNames)('certify names the dialect %s if it is not the given dialect', async (dialect) => {
    const wallet = await serveSmallWallet({ dialect });
    const other = dialect === 'slotegrator' ? 'softswiss' : 'slotegrator';
    const credentials = { token: 'x', merchant_id: 'm', merchant_key: 'k' };
    const { refused, out } = await runCertify(given, other, wallet.url, {
      credentials,
      more: ['--player', 'ann'],
    });
    await wallet.close();
    expect(refused).toContain(`answers in the dialect ${dialect} instead of ${other}; check --dialect.`);
    expect(out).toBe('');
  });

  it('certify prints one reason if it cannot connect', async () => {
    const { port, url, close } = await serve((_request, response) => response.end());
    const tls = await certify(`https://127.0.0.1:${port}`);
    await close();
    const refusedBy = await certify(url);
    const unresolved = await certify('http://wallet.invalid');
    const port1 = await certify('http://127.0.0.1:1');
    const texts = [tls, refusedBy, unresolved, port1].map(({ refused }) => refused);
    expect(texts).toEqual([
      expect.stringMatching(
        /^The wallet cannot be reached: 127\.0\.0\.1:\d+ does not accept TLS .+\(ERR_SSL_\w+\)\.$/m,
      ),
      `The wallet cannot be reached: no program accepts connections at 127.0.0.1:${port} (ECONNREFUSED).\n`,
      expect.stringMatching(
        /^The wallet cannot be reached: the host name wallet\.invalid cannot be resolved/,
      ),
      'The wallet cannot be reached: HTTP clients do not use port 1.\n',
    ]);
    expect([tls, refusedBy, unresolved, port1].map(({ out }) => out)).toEqual(['', '', '', '']);
  });

  it('certify prints one reason if no answer arrives in time, or if a header value is invalid', async () => {
    const { url, close } = await serve(() => {});
    const speaker = createSpeaker('valkyrie', { credentials: { token: 'x' }, decimals: 2, profile: '' });
    const caller = { playerId: 'ann', session: 's', currency: 'EUR', gameId: 'dice' };
    const others = { expired: undefined, foreign: undefined, blocked: undefined };
    const terms = { speaker, caller, others, decimals: 2, maxStake: undefined };
    const late = certifyWallet({ ...terms, send: createSender(url, 1) });
    await expect(late).rejects.toThrow('there was no answer within 0.001 seconds');
    const impossible = { ...terms, caller: { ...caller, session: 'a\nb' }, send: createSender(url) };
    await expect(certifyWallet(impossible)).rejects.toThrow('a character that no header may contain');
    await close();
  });
});
