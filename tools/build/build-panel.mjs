// Builds a panel with Vite: `node tools/build/build-panel.mjs services/licensing/panel`.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { readPanelPaths } from './panel-paths.mjs';
import { replaceFolder } from './replace-folder.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const panel = resolve(root, process.argv[2] ?? '');
// Builds into a temporary folder that is renamed at the end, so that no process sees an incomplete build.
const dist = join(root, 'node_modules/.cache', `panel-${process.pid}`);
const compress = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** Compresses each asset at the highest level, so that the service need not compress it. */
async function compressAssets() {
  const assets = join(dist, 'assets');
  const names = (await readdir(assets)).filter((name) => /\.(?:js|css|svg)$/.test(name));
  const pack = async (name, ending) => {
    const bytes = await readFile(join(assets, name));
    await writeFile(join(assets, `${name}.${ending}`), await compress[ending](bytes));
  };
  await Promise.all(names.flatMap((name) => [pack(name, 'br'), pack(name, 'gz')]));
}

const pages = (await readdir(panel)).filter((name) => name.endsWith('.html'));

await build({
  root: panel,
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
  // The server replaces the placeholder with a new nonce for every page.
  html: { cspNonce: '{{nonce}}' },
  build: {
    outDir: dist,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    manifest: 'manifest.json',
    target: 'es2022',
    // These browser versions support the CSS function light-dark(). For older versions, Vite would replace
    // light-dark() with a query of the system's colour scheme. The colour scheme that a person chooses in the
    // panel would then have no effect.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The sign-in page and the buyer portal have their own entries without the panel's libraries.
    rolldownOptions: { input: pages.map((page) => join(panel, page)) },
  },
});
await compressAssets();
await writeFile(join(dist, 'paths.json'), JSON.stringify(await readPanelPaths(root, panel)));
await writeFile(join(dist, 'sources.sha256'), process.argv[3] ?? '');
await replaceFolder(join(panel, 'dist'), dist);
