// docs/errors.md says what the table of errors says: no more, no less.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errors } from './errors.ts';

const page = new URL('../../../docs/errors.md', import.meta.url);
const row = /^\| `(\w+)` \| (\d{3}) \| (yes|no) \| (.+) \|$/gm;

it('every error of the wallet is documented as it is answered, and nothing else is', () => {
  const documented = [...readFileSync(page, 'utf8').matchAll(row)].map(
    ([, code = '', status, retry, msg]) =>
      [code, { status: Number(status), retryable: retry === 'yes', msg }] as const,
  );
  expect(documented.length).toBe(new Set(documented.map(([code]) => code)).size);
  expect(Object.fromEntries(documented)).toEqual(errors.table);
});
