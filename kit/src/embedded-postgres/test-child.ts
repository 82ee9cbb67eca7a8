// Runs the launcher in child processes, for the tests that kill them or run them as another user.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const childScript = `
import { startEmbeddedPostgres } from './dist/embedded-postgres/start.js';
const { dataDir, afterwards } = JSON.parse(process.argv[2]);
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
process.on('SIGINT', () => say({ said: 'SIGINT' }));
const onProgress = (message) => say({ progress: message });
try {
  const postgres = await startEmbeddedPostgres({ dataDir, onProgress });
  await postgres.ensureDatabase('test');
  say({ pid: postgres.pid, url: postgres.url('test') });
  if (afterwards === 'hold') setInterval(() => {}, 60_000);
  if (afterwards === 'stop') await postgres.stop();
} catch (error) {
  say({ failure: error.message, name: error.name });
}
`;

/** A world-readable folder under the temporary one; the caller removes it. */
export async function makeOpenFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-test-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Compiles the launcher into the folder, since Node 20 cannot run TypeScript. */
export async function compileLauncher(folder: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const config = {
    extends: join(repository, 'tsconfig.base.json'),
    compilerOptions: {
      rootDir: join(repository, 'kit', 'src'),
      outDir: join(folder, 'dist'),
      typeRoots: [join(repository, 'node_modules', '@types')],
    },
    files: [fileURLToPath(new URL('./start.ts', import.meta.url))],
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'child.js'), childScript);
  await promisify(execFile)(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json')]);
  return folder;
}

export async function linkModules(launcher: string): Promise<void> {
  await symlink(join(repository, 'node_modules'), join(launcher, 'node_modules'));
}

export interface ChildEvent {
  readonly pid?: number;
  readonly url?: string;
  readonly progress?: string;
  readonly failure?: string;
  readonly name?: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly events: ChildEvent[];
  /** What the start led to: pid and url, or the failure. */
  readonly outcome: Promise<ChildEvent>;
  readonly ended: Promise<void>;
  kill(): Promise<void>;
}

export function startChild(options: {
  launcher: string;
  dataDir: string;
  afterwards: 'hold' | 'stop' | 'return';
  uid?: number;
}): Child {
  const child = spawn(
    process.execPath,
    [join(options.launcher, 'child.js'), JSON.stringify(options)],
    {
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const events: ChildEvent[] = [];
  const lines = createInterface({ input: child.stdout });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const outcome = new Promise<ChildEvent>((resolve, reject) => {
    lines.on('line', (line) => {
      const event: ChildEvent = JSON.parse(line);
      events.push(event);
      if (event.url !== undefined || event.failure !== undefined) resolve(event);
    });
    void ended.then(() => reject(new Error('The child ended without an outcome.')));
  });
  outcome.catch(() => undefined);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { process: child, events, outcome, ended, kill };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
