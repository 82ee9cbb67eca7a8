// The tables in docs/guide/dialects/certify.md agree with the cases that `providers certify` runs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type DialectName, dialectNames } from '../../connections/dialects/dialect.ts';
import { caseKinds } from '../certification-case.ts';
import { listCases } from './cases.ts';

const guide = readFileSync(
  new URL('../../../../../../docs/guide/dialects/certify.md', import.meta.url),
  'utf8',
);

/** Reads the rows of the table whose first heading is this text, as lists of cells. */
function readTable(firstHeading: string): string[][] {
  const [, table = ''] = guide.split(`\n| ${firstHeading} |`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
}

const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

/**
 * Pairs of a kind and a dialect that has no cases of this kind. Hub88 has no batches, and Valkyrie cannot
 * take a win back.
 */
const missing: readonly (readonly [kind: string, dialect: DialectName])[] = [
  ['batches', 'hub88'],
  ['reversals', 'valkyrie'],
];

const order = ['softswiss', 'hub88', 'slotegrator', 'valkyrie'] as const satisfies readonly DialectName[];

it('the table of kinds in the guide shows how many cases of each kind each dialect has', () => {
  const documented = readTable('Kind').map(([kind, _subject, ...counts]) => [kind, ...counts]);
  const count = (kind: string, dialect: DialectName) =>
    listCases(dialect).filter((each) => each.kind === kind).length;
  const inCode = caseKinds.map((kind) => [kind, ...order.map((each) => String(count(kind, each) || '—'))]);
  expect(documented).toEqual(inCode);
});

it('every dialect has cases of each of the first eight kinds, except for the pairs in `missing`', () => {
  const absent = caseKinds
    .slice(0, 8)
    .flatMap((kind) =>
      dialectNames.flatMap((dialect) =>
        listCases(dialect).some((each) => each.kind === kind) ? [] : [[kind, dialect]],
      ),
    );
  expect(absent).toEqual(missing);
});

it('the table of rules names every case with its kind and its dialects', () => {
  const documented = readTable('Case').flatMap(([cases, kind, dialects = '']) =>
    quoted(cases).map((id) => ({ id, kind, dialects: dialects === 'all' ? order : dialects.split(', ') })),
  );
  const kinds = new Map(order.flatMap((each) => listCases(each).map(({ id, kind }) => [id, kind])));
  const inCode = [...kinds].map(([id, kind]) => {
    const dialects = order.filter((dialect) => listCases(dialect).some((each) => each.id === id));
    return { id, kind, dialects };
  });
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(documented.sort(byId)).toEqual(inCode.sort(byId));
});
