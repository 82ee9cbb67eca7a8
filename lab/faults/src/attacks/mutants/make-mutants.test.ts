// Mutants change comparisons, sums, conditions, literals and calls, but no types.
import { expect, it } from 'vitest';
import { makeMutants } from './make-mutants.ts';

const changes = (source: string) =>
  makeMutants('x.ts', source).map(({ kind, before, after }) => `${kind}: ${before} → ${after}`);

it('each mutant changes one comparison, sum, condition, logical operator or literal', () => {
  expect(changes('const a = (b: bigint) => (b >= 0n && !c ? b + d : true);')).toEqual([
    'condition: b >= 0n && !c → true',
    'condition: b >= 0n && !c → false',
    'logic: b >= 0n && !c → (b >= 0n) || (!c)',
    'comparison: b >= 0n → (b) > (0n)',
    'literal: 0n → 1n',
    'logic: !c → (c)',
    'arithmetic: b + d → (b) - (d)',
    'literal: true → false',
  ]);
});

it('mutants change neither types nor the conditions of loops', () => {
  expect(changes('type A = 1 | true; interface B { c: 2 } let d: 3; while (e < 4) f = g;')).toEqual([]);
});

it('a mutant removes a call', () => {
  expect(changes('check(a);')).toEqual(['call: check(a); → ;']);
});
