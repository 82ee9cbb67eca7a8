// Serves one panel from its sources with Vite, and forwards all other requests to the service.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { readPanelPaths } from '../build/panel-paths.mjs';

/**
 * Matches every path that Vite does not serve itself. Vite serves its client, modules and pre-bundled
 * packages.
 */
const forwarded = '^/(?!@|src/|node_modules/)';

/**
 * Returns a function that finds the HTML file for a URL. The function returns undefined if the URL is not a
 * page of the panel but an address of the service.
 */
async function createPageFinder(root, panel) {
  const paths = await readPanelPaths(root, panel);
  const patterns = paths.map((path) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`));
  return (url) => {
    const { pathname } = new URL(url, 'http://panel');
    if (!patterns.some((pattern) => pattern.test(pathname))) return undefined;
    return existsSync(join(panel, `${pathname}.html`)) ? `${pathname}.html` : '/index.html';
  };
}

/** Makes relative paths to libs/ui absolute, because a browser cannot leave the panel's root with `..`. */
const serveLibraries = (root) => ({
  name: 'serve-libraries',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replaceAll('../../../libs/', `/@fs${root}/libs/`),
  },
});

export async function startPanelServer({ root, panel, host, port, service }) {
  const findPage = await createPageFinder(root, panel);
  const server = await createServer({
    root: panel,
    configFile: false,
    appType: 'mpa',
    logLevel: 'warn',
    clearScreen: false,
    cacheDir: join(root, 'node_modules/.cache', `vite-${dirname(panel).split('/').at(-1)}`),
    plugins: [react(), serveLibraries(root)],
    server: {
      host,
      port,
      strictPort: true,
      fs: { allow: [root] },
      proxy: {
        [forwarded]: {
          target: service,
          bypass: ({ method, url }) => (method === 'GET' ? findPage(url) : undefined),
        },
      },
    },
  });
  await server.listen();
  return server;
}
