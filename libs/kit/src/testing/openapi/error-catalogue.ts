// docs/reference/errors.md as data: what it says of each code of a service.
import { readFileSync } from 'node:fs';
import type { ErrorTable } from '../../http/errors.ts';

export interface CataloguedError {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  /** The cells after these: whether money moved where it can, the meaning, what to do. */
  readonly rest: readonly string[];
}

const page = new URL('../../../../../docs/reference/errors.md', import.meta.url);

export function readErrorCatalogue(service: 'Wallet' | 'Licensing'): readonly CataloguedError[] {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n## ${service}\n`);
  const [own = ''] = section.split('\n## ');
  return own
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [code = '', status, retry, ...rest] = line.slice(2, -2).split(' | ');
      if (retry !== 'yes' && retry !== 'no') throw new Error(`yes or no, not ${retry}: ${line}`);
      return {
        code: code.replaceAll('`', ''),
        status: Number(status),
        retryable: retry === 'yes',
        rest,
      };
    });
}

/** What the page and the table say differently, each with what to do about it. */
export function compareCatalogue(
  catalogue: readonly CataloguedError[],
  table: ErrorTable,
): string[] {
  const documented = new Map(catalogue.map((each) => [each.code, each]));
  const twice = catalogue.length - documented.size;
  const unknown = [...documented.keys()].filter((code) => !Object.hasOwn(table, code));
  return [
    ...(twice > 0 ? [`${twice} codes stand there twice`] : []),
    ...unknown.map(
      (code) => `${code} is no error of the service: take it out of docs/reference/errors.md`,
    ),
    ...Object.entries(table).flatMap(([code, { status, retryable }]) => {
      const row = documented.get(code);
      if (!row) return [`${code} is missing: add its row to docs/reference/errors.md`];
      const isDocumented = row.status === status && row.retryable === retryable;
      return isDocumented
        ? []
        : [`${code} is ${status}, ${retryable ? 'yes' : 'no'}: mend its row`];
    }),
  ];
}
