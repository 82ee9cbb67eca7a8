// Runs every snippet of the documentation against the services, except those that state why they cannot run.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo as seedLicensing } from '../../services/licensing/server/src/demo/seed.ts';
import { givenLicensing } from '../../services/licensing/server/test/environment/given.ts';
import { seedDemo as seedWallet } from '../../services/wallet/server/src/seed/seed.ts';
import { givenWallet } from '../../services/wallet/server/test/environment/given.ts';
import { listSnippets, patternOf, runProgram, runSnippet, type Stage, withLongTimeouts } from './snippets.ts';

const root = join(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const listPages = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'deploy/ha/README.md',
  ...['guide', 'reference', 'operate', 'internals'].flatMap((folder) => listPages(`docs/${folder}`)),
];
const snippets = pages.flatMap((page) => listSnippets(page, read(page)));
const run = snippets.filter((each) => each.notRun === undefined);
/**
 * Programs of the documentation. The test runs copies with longer timeouts, because the test machine may be
 * slow.
 */
const ownPrograms = [
  'libs/sdk-php/counterfoil.php',
  'docs/guide/examples/script.mjs',
  'docs/guide/examples/page.php',
];
/** The state of each page: the variables that its snippets have exported so far. */
const stages = new Map<string, Stage>();

/**
 * Whether a program is not installed. If the variable CI is set, PHP never counts as missing, so that the
 * tests fail without PHP.
 */
const isMissing = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return program !== 'php' || !process.env.CI;
  }
};
/** For each language, the programs that its snippets need and that are not installed. */
const absent = {
  sh: ['bash', 'curl'].filter(isMissing),
  js: [],
  php: ['php'].filter(isMissing),
  python: ['python3'].filter(isMissing),
};
/** Whether the Python package `cryptography` is missing. Some snippets need this package. */
const lacksCryptography = (() => {
  try {
    execFileSync('python3', ['-c', 'import cryptography'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
})();
const titled = (title: string, programs: readonly string[]) =>
  programs.length === 0 ? title : `${title} (skipped: ${programs.join(' and ')} not installed)`;

let folder: string;
let env: NodeJS.ProcessEnv;
const closings: (() => Promise<void>)[] = [];

/** Starts both services with demo data and writes their credentials to a file, as `npm start` does. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-docs-'));
  const licensing = await givenLicensing();
  const wallet = await givenWallet();
  closings.push(licensing.close, wallet.close);
  for (const { clock } of [licensing, wallet]) {
    Object.defineProperty(clock, 'now', { get: () => new Date() });
  }
  await seedLicensing(licensing.db, licensing.config);
  await seedWallet(wallet.db, wallet.config.masterKey);
  const describeService = async ({ app, db, config }: typeof licensing | typeof wallet) => ({
    base_url: await app.listen({ host: '127.0.0.1', port: 0 }),
    ...((await findDemoCredentials(db, config.masterKey)) as object),
  });
  const credentials = {
    licensing: await describeService(licensing),
    wallet: await describeService(wallet),
  };
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials));
  for (const program of ownPrograms) {
    writeFileSync(join(folder, basename(program)), withLongTimeouts(read(program)));
  }
  env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, TMPDIR: folder };
});

afterAll(async () => {
  for (const close of closings) await close();
  rmSync(folder, { recursive: true, force: true });
});

it('the docs have snippets in every language, and each snippet runs or states why not', () => {
  expect(new Set(run.map((each) => each.language))).toEqual(new Set(['sh', 'js', 'php', 'python']));
  expect(run.length).toBeGreaterThanOrEqual(18);
  const page = '<!-- not run: too long for a test -->\n```sh\nsleep 9\n```\n```js\n1\n```\n';
  expect(listSnippets('x.md', page).map((each) => each.notRun !== undefined)).toEqual([true, false]);
  expect(() => listSnippets('x.md', '```ruby\n```')).toThrow('neither run nor known');
});

it('the timeouts in every program of the documentation are lengthened for the test', () => {
  const timed = [...run.map(({ code }) => code), ...ownPrograms.map(read)].filter((code) =>
    /timeout(?:=|\(|'? =>)/.test(code),
  );
  expect(timed.length).toBeGreaterThan(10);
  expect(timed.filter((code) => withLongTimeouts(code) === code)).toEqual([]);
});

describe.each(pages.filter((page) => run.some((each) => each.page === page)))(
  'the snippets of the page %s',
  (page) => {
    const stage: Stage = { folder: '', root, env: {} };
    stages.set(page, stage);
    beforeAll(() => Object.assign(stage, { folder, env }));

    for (const snippet of run.filter((each) => each.page === page)) {
      const needsPackage = snippet.code.includes('from cryptography') && lacksCryptography;
      const missing = [...absent[snippet.language], ...(needsPackage ? ["Python's cryptography"] : [])];
      const title = titled(`line ${snippet.line}, ${snippet.language}`, missing);
      it.skipIf(missing.length > 0)(title, async () => {
        const output = await runSnippet(snippet, stage);
        if (snippet.prints !== undefined) expect(output).toMatch(patternOf(snippet.prints));
        else expect(output).not.toContain('"status":"error"');
      });
    }
  },
);

describe('the programs in docs/guide/examples', () => {
  let exported: NodeJS.ProcessEnv;
  beforeAll(() => {
    const [licensing, wallet] = ['docs/guide/licensing.md', 'docs/guide/wallet.md'].map((page) =>
      stages.get(page),
    );
    exported = { ...licensing?.env, ...wallet?.env };
  });

  it('script.mjs validates a code and changes a balance once per id', async () => {
    const script = join(folder, 'script.mjs');
    const say = (code = '') =>
      runProgram(process.execPath, [script, code, 'node-player', 'node-1'], {
        cwd: folder,
        env: exported,
      });
    const bothAnswers = /^valid: .+\nbalance: 5\n$/;
    expect(await say(exported.PURCHASE_CODE)).toMatch(bothAnswers);
    expect(await say(exported.PURCHASE_CODE)).toMatch(bothAnswers);
    expect(await say('no-such-code')).toBe('not valid: purchase_not_found\n');
  });

  const title = titled('page.php validates a code and changes a balance once', absent.php);
  it.skipIf(absent.php.length > 0)(title, async () => {
    const page = join(folder, 'page.php');
    const server = spawn('php', ['-S', '127.0.0.1:0', page], { cwd: folder, env: exported });
    const closed = new Promise((resolve) => server.once('close', resolve));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.once('error', reject);
        server.stderr.on('data', (part: Buffer) => {
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(part)) ?? [];
          if (found) resolve(found);
        });
      });
      const send = async (code = '') => {
        const body = new URLSearchParams({ purchase_code: code, player_id: 'php-player' });
        return await (await fetch(url, { method: 'POST', body })).text();
      };
      expect(await (await fetch(url)).text()).toContain('Enter your purchase code.');
      expect(await send(exported.PURCHASE_CODE)).toMatch(/Thank you for .+ balance is 5\.</);
      expect(await send(exported.PURCHASE_CODE)).toContain('balance is 5 (paid before).');
      expect(await send('no-such-code')).toContain('purchase_not_found');
    } finally {
      server.kill();
      await closed;
    }
  });
});
