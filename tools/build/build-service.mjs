// Bundles a built service into one file: `node tools/build/build-service.mjs services/wallet/server HASH`.
// Finding, reading and linking 1,600 files took most of a start. Plain JavaScript: it runs before the build.
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const service = resolve(root, process.argv[2] ?? '');
const place = join(service, 'dist/bundle');
// Built in another folder and then renamed, like the panels.
const aside = join(root, 'node_modules/.cache', `service-${process.pid}`);

/** Native or optional packages. */
const leftAlone = /^(?:@node-rs\/|pg-native$)/;

const findPlace =
  `import { fileURLToPath as toPath } from 'node:url';\n` +
  'const placeOf = (path) => toPath(new URL(path, import.meta.url));';

/** Rewrites paths relative to a module, so that they stay valid in the bundle. */
const keepPlaces = {
  name: 'keep-places',
  transform: (code, id) => {
    const isPackage = id.includes('node_modules');
    const named = isPackage ? /\b__dirname\b/g : /\bimport\.meta\.url\b/g;
    if (!named.test(code)) return null;
    if (isPackage) return code.replace(named, `placeOf(${quote(relative(place, dirname(id)))})`);
    return code.replace(named, `new URL(${quote(relative(place, id))}, import.meta.url).href`);
  },
};
const quote = (text) => JSON.stringify(text);

const bundle = await rolldown({
  input: join(service, 'dist/main.js'),
  platform: 'node',
  external: (id) => leftAlone.test(id),
  plugins: [keepPlaces],
});
// Not minified, so that stack traces name functions.
await bundle.write({
  dir: aside,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  banner: findPlace,
});
await writeFile(join(aside, 'sources.sha256'), process.argv[3] ?? '');
const put = async () => {
  await rm(place, { recursive: true, force: true });
  await rename(aside, place);
};
// Two builds may end at the same time; the second replaces the first.
await put().catch(put);
