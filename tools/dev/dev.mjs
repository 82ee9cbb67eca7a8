// `npm run dev`: restarts services and updates panels when their sources change.
// It is plain JavaScript, because nothing compiles it before it runs.
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPanelServer } from './panel-server.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const host = '127.0.0.1';

/** A panel's port is its service's port plus this number. */
const panelPortOffset = 10;

async function startPanel(name, defaultPort) {
  const servicePort = Number(process.env[`${name.toUpperCase()}_PORT`] || defaultPort);
  const port = servicePort + panelPortOffset;
  const panel = join(root, `services/${name}/panel`);
  const server = await startPanelServer({
    root,
    panel,
    host,
    port,
    service: `http://${host}:${servicePort}`,
  });
  // The public URL is the address of the Vite server, because the browser opens the panel there. The service
  // accepts panel requests only from the origin of its public URL, and links begin with this URL.
  process.env[`${name.toUpperCase()}_PUBLIC_URL`] ||= `http://${host}:${port}`;
  return server;
}

/** Only one compilation runs at a time. Changes during a compilation cause one more compilation. */
function createCompiler() {
  let running;
  let isStale = false;
  return function compile() {
    if (running) {
      isStale = true;
      return;
    }
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    running = spawn(process.execPath, [tsc, '-b', 'tools/tsconfig/build.json', '--pretty'], {
      cwd: root,
      stdio: 'inherit',
    });
    running.once('exit', () => {
      running = undefined;
      if (!isStale) return;
      isStale = false;
      compile();
    });
  };
}

/** Uses Vite's watcher, because `tsc -b --watch` of TypeScript 7.0 ignores changes in referenced projects. */
function compileOnChange(watcher) {
  const compile = createCompiler();
  let timer;
  const folders = ['libs', 'services'].map((folder) => join(root, folder));
  const isSource = /\/(?:libs\/[^/]+|services\/(?:provider|[^/]+\/server))\/src\/.*\.ts$/;
  watcher.add(folders);
  watcher.on('all', (_event, file) => {
    if (!isSource.test(file) || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(compile, 50);
  });
}

process.env.DEV_STARTER_PID = String(process.pid);
process.env.NODE_OPTIONS = [
  process.env.NODE_OPTIONS,
  `--import ${new URL('exit-with-starter.mjs', import.meta.url).href}`,
].join(' ');
const licensing = await startPanel('licensing', 4100);
await startPanel('wallet', 4200);
compileOnChange(licensing.watcher);
process.argv = [process.argv[0], join(root, 'libs/cli/dist/start.js'), '--watch'];
await import('../../libs/cli/dist/start.js');
