// The entry point of all npm scripts. It installs missing packages, builds missing or outdated files, and
// then runs the given command (`verb`). It is plain JavaScript without dependencies, because a fresh clone
// has no packages yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const [verb = '', ...rest] = process.argv.slice(2);

/**
 * The process ids of npm and of the shell that npm started for this script. The list is empty if npm did not
 * start this process.
 */
const starters = process.env.npm_lifecycle_event
  ? [process.ppid, findParent(process.ppid)].filter((pid) => pid > 1)
  : [];

function findParent(pid) {
  const found = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(found.stdout?.trim() || 0);
}

function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Ends this process when npm ends. Otherwise this process would occupy ports that the next start needs. */
function exitWithNpm() {
  if (starters.length === 0) return;
  if (starters.some(isGone)) process.exit(1);
  setInterval(() => {
    if (starters.some(isGone)) process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

const say = (line) => process.stderr.write(`${line}\n`);

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Counterfoil needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs a program in the foreground, and exits if it fails. */
function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) say(`${program} could not be started: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

const node = (args, options) => run(process.execPath, args, options);
const tool = (name) => join(root, 'node_modules', name);

/** Whether the installed packages match the lock file. */
function isInstalled() {
  const installedFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    if (!found) return entry.optional === true || entry.peer === true;
    return found.version === entry.version && existsSync(join(root, path));
  });
}

function install() {
  if (isInstalled()) return;
  say('Installing packages (once, and again when package-lock.json changes) …');
  runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  // npm's output goes to standard error, because some verbs print results for programs to standard output.
  const stdio = ['ignore', 2, 2];
  if (npm?.endsWith('.js')) node([npm, ...args], { stdio });
  else run('npm', args, { stdio });
}

/** The compiler builds only stale files. Without changes it takes 0.1 s. */
function build() {
  node([tool('typescript/bin/tsc'), '-b', 'tools/tsconfig/build.json'], {
    stdio: ['ignore', 2, 2],
  });
  const names = ['embedded-postgres', 'identity', 'kit', 'mail', 'webhooks'];
  const libs = names.map((each) => `libs/${each}/dist`);
  for (const service of ['services/licensing/server', 'services/wallet/server']) {
    const builder = 'tools/build/build-service.mjs';
    // The bundle contains code that the wallet shares with its worker threads. Licensing has no threads.
    const workers = [`${service}/workers`].filter((each) => existsSync(join(root, each)));
    const sources = hashFiles([...libs, `${service}/dist`, ...workers, builder]);
    buildOnce({ output: `${service}/dist/bundle`, builder, target: service, sources });
  }
}

/** Whether the name belongs to build output or to installed packages, which are not sources. */
const isOutput = (name) => ['dist', 'bundle', 'node_modules', '.tsbuildinfo'].includes(name);

/** Lists all files below a folder in a fixed order. For a file, returns the file itself. */
function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => !isOutput(name))
    .flatMap((name) => listFiles(join(path, name)));
}

/** Returns a hash of the sources of a build. Hashing takes milliseconds. */
function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => listFiles(join(root, path)))) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** Builds the target unless its last build has the same hash of the sources (`sources`). */
function buildOnce({ output, builder, target, sources }) {
  const stamp = join(root, output, 'sources.sha256');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  say(`Building ${target} …`);
  node([join(root, builder), target, sources], { stdio: ['ignore', 2, 2] });
}

function buildPanels() {
  for (const panel of ['services/licensing/panel', 'services/wallet/panel']) {
    const sources = hashFiles(['libs/ui', panel]);
    buildOnce({
      output: `${panel}/dist`,
      builder: 'tools/build/build-panel.mjs',
      target: panel,
      sources,
    });
  }
}

/** Runs the program in this process, so that signals reach it directly. */
async function become(file) {
  exitWithNpm();
  process.argv = [process.argv[0], join(root, file), ...rest];
  await import(pathToFileURL(join(root, file)).href);
}

function check() {
  const steps = [
    ['format and lint', ['@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
    ['types', ['typescript/bin/tsc', '-b', 'tools/tsconfig/build.json']],
    ['types of the tests', ['typescript/bin/tsc', '-p', '.']],
    ['types of the panels', ['typescript/bin/tsc', '-p', 'tools/tsconfig/panels.json']],
    ['house rules', ['vitest/vitest.mjs', 'run', '--config', 'tools/vitest/house-rules.config.ts']],
    ['unused code', ['knip/bin/knip.js', '--config', 'tools/knip.json', '--no-progress']],
  ];
  for (const [title, [program, ...args]] of steps) {
    say(`• ${title}`);
    node([tool(program), ...args]);
  }
  say('• OpenAPI documents');
  const documents = ['licensing', 'wallet'].map((each) => `services/${each}/server/reference/openapi.json`);
  node([join(root, 'tools/openapi/lint.mjs'), ...documents]);
}

/** Prints the demo credentials that the last start wrote to a file. Installs and builds nothing. */
function printCredentials() {
  const file = resolve(root, process.env.DATA_DIR || 'data', 'credentials.json');
  if (!existsSync(file)) {
    say('There are no demo credentials yet: run npm start once to create them.');
    process.exit(1);
  }
  try {
    process.stdout.write(readFileSync(file, 'utf8'));
  } catch (error) {
    say(`The demo credentials in ${file} cannot be read (${error.code}).`);
    process.exit(1);
  }
}

/**
 * Builds everything and runs the tests. Prints `0 passed, 1 failed` if a failed build or a crash of Vitest
 * prevents the summary.
 */
function runTests(args) {
  const mark = join(tmpdir(), `counterfoil-summary-${process.pid}`);
  process.once('exit', (code) => {
    if (code !== 0 && !existsSync(mark)) process.stdout.write('0 passed, 1 failed\n');
    rmSync(mark, { force: true });
  });
  prepareAll();
  // With TEST_BUILT, the tests load the build. With `npx vitest` alone, they load the sources.
  const env = { ...process.env, TEST_BUILT: '1', TEST_SUMMARY_MARK: mark };
  node([tool('vitest/vitest.mjs'), 'run', ...args, ...rest], { env });
}

const prepare = () => {
  install();
  build();
};

const prepareAll = () => {
  prepare();
  buildPanels();
};

const verbs = {
  start: () => {
    prepareAll();
    return become('libs/cli/dist/start.js');
  },
  dev: () => {
    prepare();
    return become('tools/dev/dev.mjs');
  },
  'start:licensing': () => {
    prepareAll();
    return become('services/licensing/server/dist/bundle/main.js');
  },
  'start:wallet': () => {
    prepareAll();
    return become('services/wallet/server/dist/bundle/main.js');
  },
  'start:provider': () => {
    prepare();
    return become('services/provider/dist/main.js');
  },
  counterfoil: () => {
    // The command uses the data of this clone, whatever the working directory is. All other paths are
    // relative to the working directory.
    process.env.DATA_DIR ||= join(root, 'data');
    if (rest[0] === 'start') prepareAll();
    else prepare();
    return become('libs/cli/dist/counterfoil.js');
  },
  licensing: () => {
    prepare();
    return become('services/licensing/server/dist/command.js');
  },
  wallet: () => {
    prepare();
    return become('services/wallet/server/dist/command.js');
  },
  bench: () => {
    prepare();
    return become('lab/bench/dist/main.js');
  },
  faults: () => {
    prepare();
    return become('lab/faults/dist/main.js');
  },
  ha: () => {
    prepareAll();
    return become('lab/ha/dist/main.js');
  },
  scale: () => {
    prepare();
    return become('lab/bench/dist/scale/main.js');
  },
  test: () => runTests([]),
  'test:slow': () => runTests(['--config', 'tools/vitest/slow.config.ts']),
  screenshots: () => {
    prepareAll();
    node([tool('vitest/vitest.mjs'), 'run', '--config', 'tools/vitest/screenshots.config.ts', ...rest]);
  },
  openapi: () => {
    prepare();
    node([tool('vitest/vitest.mjs'), 'run', '--config', 'tools/vitest/openapi.config.ts', ...rest]);
  },
  interop: () => {
    prepare();
    say('Installing third-party tools in lab/interop …');
    runNpm(['ci', '--prefix', 'lab/interop', '--no-audit', '--no-fund', '--loglevel=error']);
    node([tool('vitest/vitest.mjs'), 'run', '--config', 'tools/vitest/interop.config.ts', ...rest]);
  },
  check: () => {
    install();
    check();
  },
  build: prepareAll,
  credentials: printCredentials,
};

refuseOldNode();
if (!Object.hasOwn(verbs, verb)) {
  say(`Usage: node run.mjs ${Object.keys(verbs).join(' | ')}`);
  process.exit(2);
}
await verbs[verb]();
