// Rewrites exceptions.ts from the violations in the tree: `node tools/house-rules/run.mjs exceptions`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listViolations } from './known.ts';
import { readTree } from './tree.ts';

const root = join(import.meta.dirname, '../..');

export function run(): void {
  const found = listViolations(readTree(root));
  const rules = Object.entries(found).map(
    ([rule, keys]) =>
      `  ${rule}: [${keys.map((key) => `\n    ${quote(key)},`).join('')}${keys.length ? '\n  ' : ''}],\n`,
  );
  const file = join(import.meta.dirname, 'exceptions.ts');
  writeFileSync(
    file,
    `${opening}export const exceptions: Record<string, readonly string[]> = {\n${rules.join('')}};\n`,
  );
  for (const [rule, keys] of Object.entries(found)) {
    process.stdout.write(`${rule}: ${keys.length}\n`);
  }
}

const quote = (text: string) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

const opening = `// Known exceptions to the house rules, as "path: violation". The list may only shrink.
// \`node tools/house-rules/run.mjs exceptions\` rewrites the list from the tree. Use this command after a
// merge or after removing violations, never to allow a new violation.

`;
