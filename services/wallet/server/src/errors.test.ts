// docs/reference/errors.md lists exactly the errors of the table, and states whether money moved.
import { compareCatalogue, readErrorCatalogue } from '@counterfoil/kit/testing/openapi/error-catalogue';
import { expect, it } from 'vitest';
import { errors } from './errors.ts';

const catalogue = readErrorCatalogue('Wallet');

it('errors.md documents exactly the errors of the wallet, with their messages', () => {
  expect(compareCatalogue(catalogue, errors.table)).toEqual([]);
  const meanings = catalogue.map(({ code, rest }) => [code, rest[1]]);
  const sentences = Object.entries(errors.table).map(([code, { msg }]) => [code, msg]);
  expect(Object.fromEntries(meanings)).toEqual(Object.fromEntries(sentences));
});

it('errors.md states for every error whether money moved and how to react', () => {
  const doubtful: string[] = [];
  for (const { code, rest } of catalogue) {
    expect(rest, code).toHaveLength(3);
    expect(rest[2], code).toMatch(/\w{3}/);
    expect(rest[0], code).toMatch(/^(?:no|not by this|perhaps)$/);
    if (rest[0] !== 'no') doubtful.push(code);
  }
  expect(doubtful.sort()).toEqual(['outcome_unknown', 'transaction_conflict']);
});
