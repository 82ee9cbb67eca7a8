// The wallet formats and parses money with the unit of a package, never with the decimals of a currency.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../src');

/** Files that may call `getDecimals`, because they choose the decimals of a package. */
const choosing = ['packages/queries.ts', 'packages/package-settings.ts', 'wire/amount.ts', 'seed/seed.ts'];
const issuing = 'packages/credentials/issue-package.ts';

const listSources = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

it('no source file passes a currency where the unit of a package is needed', () => {
  const found = listSources().flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    const byCurrency = source.match(/(?:toJsonNumber|formatMinor|parseMinor)\([^;]*?\bcurrency\)/g) ?? [];
    const isFree = [...choosing, issuing].includes(path.replaceAll('\\', '/'));
    const chosen = isFree ? [] : (source.match(/getDecimals\(/g) ?? []);
    return [...byCurrency, ...chosen].map((call) => `${path}: ${call}`);
  });
  expect(found).toEqual([]);
});
