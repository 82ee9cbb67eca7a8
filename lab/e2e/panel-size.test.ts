// The compressed size of the scripts that a browser loads before the first page appears.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const limitBytes = 260_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const homePage = '../../../libs/ui/src/shell/home-page.tsx';

/** The files that these entries import statically. Files that are loaded on demand are not included. */
function listFiles(manifest: Record<string, Chunk>, entries: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no ${name}`);
    if (seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const each of chunk.imports ?? []) visit(each);
  };
  for (const entry of entries) visit(entry);
  return seen;
}

describe.each([
  { panel: 'services/licensing/panel', firstPage: 'src/dashboard/dashboard.tsx' },
  { panel: 'services/wallet/panel', firstPage: 'src/overview/overview.tsx' },
])('the panel in $panel', ({ panel, firstPage }) => {
  const dist = join(root, panel, 'dist');
  const readManifest = () =>
    JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>;

  it('the panel needs less than 260 kB of compressed scripts for sign-in and the first page', () => {
    const files = listFiles(readManifest(), ['sign-in.html', 'index.html', homePage, firstPage]);
    const bytes = [...files].map((file) => statSync(join(dist, `${file}.br`)).size);
    const sum = bytes.reduce((total, each) => total + each, 0);
    expect(sum).toBeGreaterThan(50_000);
    expect(sum).toBeLessThan(limitBytes);
  });

  it('the sign-in page with its scripts and styles needs less than 12 kB', () => {
    const manifest = readManifest();
    const scripts = listFiles(manifest, ['sign-in.html']);
    const chunks = Object.values(manifest).filter(({ file }) => scripts.has(file));
    const styles = new Set(chunks.flatMap(({ css }) => css ?? []));
    const packed = [...scripts, ...styles].map((file) => statSync(join(dist, `${file}.br`)).size);
    const sum = packed.reduce((total, each) => total + each, 0);
    const page = readFileSync(join(dist, 'sign-in.html'), 'utf8');
    // Checks that the sum includes every file that the sign-in page names.
    const named = page.match(/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
    expect(named.filter((file) => !scripts.has(file) && !styles.has(file))).toEqual([]);
    expect(scripts.size + styles.size).toBeLessThan(10);
    expect(sum).toBeGreaterThan(2_000);
    expect(sum + page.length).toBeLessThan(12_000);
  });

  it('every page with its own HTML file needs less than 16 kB', () => {
    const manifest = readManifest();
    const pages = readdirSync(dist).filter((name) => name.endsWith('.html') && name !== 'index.html');
    expect(pages).toContain('sign-in.html');
    for (const page of pages) {
      const scripts = listFiles(manifest, [page]);
      const chunks = Object.values(manifest).filter(({ file }) => scripts.has(file));
      const styles = new Set(chunks.flatMap(({ css }) => css ?? []));
      const packed = [...scripts, ...styles].map((file) => statSync(join(dist, `${file}.br`)).size);
      const sum = packed.reduce((total, each) => total + each, statSync(join(dist, page)).size);
      expect(sum).toBeGreaterThan(2_000);
      expect(sum).toBeLessThan(16_000);
    }
  });

  it('every script and style has a brotli and a gzip version, smaller than the original', () => {
    const files = Object.values(readManifest()).map(({ file }) => file);
    for (const file of files.filter((each) => /\.(?:js|css)$/.test(each))) {
      const plain = statSync(join(dist, file)).size;
      for (const ending of ['br', 'gz']) {
        expect(existsSync(join(dist, `${file}.${ending}`))).toBe(true);
        if (plain > 1000) expect(statSync(join(dist, `${file}.${ending}`)).size).toBeLessThan(plain);
      }
    }
  });

  it('the first page does not load the plotting code', () => {
    const files = listFiles(readManifest(), ['sign-in.html', 'index.html', homePage, firstPage]);
    const plot = readManifest()['../../../libs/ui/src/plot/drawn-plot.tsx']?.file;
    expect(plot).toBeDefined();
    expect(files).not.toContain(plot);
  });

  // The page waits for the language file. If this file imported another file, the page would wait for that
  // file too.
  it('the panel does not load the German texts by default, and the text files import nothing', () => {
    const manifest = readManifest();
    const files = listFiles(manifest, ['sign-in.html', 'index.html', homePage, firstPage]);
    for (const name of ['src/strings.de.ts', '../../../libs/ui/src/strings.de.ts']) {
      const chunk = manifest[name];
      expect(chunk).toBeDefined();
      expect(chunk?.imports ?? []).toEqual([]);
      expect(files).not.toContain(chunk?.file);
    }
  });
});
