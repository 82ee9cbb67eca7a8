// Bundles a built service into one file: `node tools/build/build-service.mjs services/wallet/server HASH`.
// Without the bundle, a service would spend most of its start on loading 1,600 files. This file is plain
// JavaScript, because it runs before the sources are compiled.
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { replaceFolder } from './replace-folder.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const service = resolve(root, process.argv[2] ?? '');
const output = join(service, 'dist/bundle');
// The build is written to this folder. The folder is renamed at the end, as in build-panel.mjs.
const temporary = join(root, 'node_modules/.cache', `service-${process.pid}`);

/** Native and optional npm packages, which are not bundled. */
const external = /^(?:@node-rs\/|pg-native$|sharp$)/;

const banner =
  `import { fileURLToPath as toPathOfBundle } from 'node:url';\n` +
  'const resolveFromBundle = (path) => toPathOfBundle(new URL(path, import.meta.url));';

/** Rewrites paths that a module computes relative to its own file, so that they stay valid in the bundle. */
const keepPaths = {
  name: 'keep-paths',
  transform: (code, id) => {
    const isPackage = id.includes('node_modules');
    const named = isPackage ? /\b__dirname\b/g : /\bimport\.meta\.url\b/g;
    if (!named.test(code)) return null;
    if (isPackage) return code.replace(named, `resolveFromBundle(${quote(relative(output, dirname(id)))})`);
    return code.replace(named, `new URL(${quote(relative(output, id))}, import.meta.url).href`);
  },
};
const quote = (text) => JSON.stringify(text);

const bundle = await rolldown({
  input: join(service, 'dist/main.js'),
  platform: 'node',
  external: (id) => external.test(id),
  plugins: [keepPaths],
});
// The bundle is not minified, so that stack traces name functions.
await bundle.write({
  dir: temporary,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  banner,
});
await writeFile(join(temporary, 'sources.sha256'), process.argv[3] ?? '');
await replaceFolder(output, temporary);
