// Reads docs/reference/errors.md and compares it with the error table of a service.
import { readFileSync } from 'node:fs';
import type { ErrorTable } from '../../http/errors.ts';

const page = new URL('../../../../../docs/reference/errors.md', import.meta.url);

/**
 * Reads the rows of one service. `rest` contains the last cells of a row: whether money moved (wallet only),
 * the meaning of the error, and the action to take.
 */
export function readErrorCatalogue(service: 'Wallet' | 'Licensing') {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n## ${service}\n`);
  const [own = ''] = section.split('\n## ');
  return own
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [code = '', status, retry, ...rest] = line.slice(2, -2).split(' | ');
      if (retry !== 'yes' && retry !== 'no') throw new Error(`yes or no, not ${retry}: ${line}`);
      return { code: code.replaceAll('`', ''), status: Number(status), retryable: retry === 'yes', rest };
    });
}

/** Lists the differences between docs/reference/errors.md and the error table, each with the correction. */
export function compareCatalogue(
  catalogue: ReturnType<typeof readErrorCatalogue>,
  table: ErrorTable,
): string[] {
  const documented = new Map(catalogue.map((each) => [each.code, each]));
  const twice = catalogue.length - documented.size;
  const unknown = [...documented.keys()].filter((code) => !Object.hasOwn(table, code));
  return [
    ...(twice > 0 ? [`${twice} codes are listed twice`] : []),
    ...unknown.map(
      (code) => `${code} is not an error of the service: remove it from docs/reference/errors.md`,
    ),
    ...Object.entries(table).flatMap(([code, { status, retryable }]) => {
      const row = documented.get(code);
      if (!row) return [`${code} is missing: add its row to docs/reference/errors.md`];
      const isDocumented = row.status === status && row.retryable === retryable;
      return isDocumented ? [] : [`${code} is ${status}, ${retryable ? 'yes' : 'no'}: correct its row`];
    }),
  ];
}
