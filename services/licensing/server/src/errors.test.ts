// docs/reference/errors.md documents exactly the errors of the table in errors.ts.
import { compareCatalogue, readErrorCatalogue } from '@counterfoil/kit/testing/openapi/error-catalogue';
import { expect, it } from 'vitest';
import { errors } from './errors.ts';

const catalogue = readErrorCatalogue('Licensing');

it('the documentation has every error of licensing with its status, and no other error', () => {
  expect(compareCatalogue(catalogue, errors.table)).toEqual([]);
  for (const { code, rest } of catalogue) {
    expect(rest, code).toHaveLength(2);
    for (const cell of rest) expect(cell, code).toMatch(/\w{3}/);
  }
});

it('the comparison finds a missing row, an additional row, a wrong status and a wrong retry flag', () => {
  const [first, ...others] = catalogue;
  if (!first) throw new Error('the catalogue is empty');
  const found = (given: typeof catalogue) => compareCatalogue(given, errors.table).length;
  const faultless = found(catalogue);
  expect(found(others)).toBe(faultless + 1);
  expect(found([...catalogue, { ...first, code: 'never_answered' }])).toBe(faultless + 1);
  expect(found([...others, { ...first, status: 599 }])).toBe(faultless + 1);
  expect(found([...others, { ...first, retryable: !first.retryable }])).toBe(faultless + 1);
});
