// Bundles a built service into one file: `node tools/build/build-service.mjs services/wallet/server HASH`.
// To find, read and link some 1,600 files took most of a start. Plain JavaScript, as it runs unbuilt.
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const service = resolve(root, process.argv[2] ?? '');
const place = join(service, 'dist/bundle');
// Built aside and put in its place as a whole, as the panels are.
const aside = join(root, 'node_modules/.cache', `service-${process.pid}`);

/** Natively compiled, or not there at all. */
const leftAlone = /^(?:@node-rs\/|pg-native$)/;

const findPlace =
  `import { fileURLToPath as toPath } from 'node:url';\n` +
  'const placeOf = (path) => toPath(new URL(path, import.meta.url));';

/** Files name others from where they stand, and go on to do so from where the bundle stands. */
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
// Not made smaller: a trace in a log still names the function, and the file in a comment above it.
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
// Two builds may end at once; whichever comes second finds the place taken, and takes it.
await put().catch(put);
