// Runs the launcher in child processes, for tests that kill them or run them as another user.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

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
  process.on('SIGTERM', () => postgres.stop().then(() => process.exit()));
  if (afterwards === 'stop') await postgres.stop();
} catch (error) {
  say({ failure: error.message, name: error.name });
}
`;

/** Creates a world-readable folder in the temporary folder. The caller removes it. */
export async function makeOpenFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-test-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Bundles the launcher into one JavaScript file in the folder, because Node 20 cannot run TypeScript. */
export async function compileLauncher(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../start.ts', import.meta.url)),
    platform: 'node',
    external: /^pg$/,
  });
  await bundle.write({ file: join(folder, 'dist/embedded-postgres/start.js'), format: 'esm' });
  await bundle.close();
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'child.js'), childScript);
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

export type Child = ReturnType<typeof startChild>;

export function startChild(options: {
  launcher: string;
  dataDir: string;
  afterwards: 'hold' | 'stop' | 'return';
  uid?: number;
}) {
  const child = spawn(process.execPath, [join(options.launcher, 'child.js'), JSON.stringify(options)], {
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const events: ChildEvent[] = [];
  const lines = createInterface({ input: child.stdout });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  /** The result of the start: the process id and the URL, or the failure. */
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
  /** Stops the server and the process. Does nothing if the process has ended. */
  const leave = async () => {
    await outcome.catch(() => undefined);
    child.kill('SIGTERM');
    await ended;
  };
  return { process: child, events, outcome, ended, kill, leave };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
