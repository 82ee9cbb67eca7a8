// Sends generated requests to every operation in a service's OpenAPI document and tests the answers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';
import { report, seed } from './sizes.ts';
import type { Target } from './target.ts';

/** The share of operations that must accept at least one request. */
const wantedShare = 0.35;

export function describeFuzz(name: string, open: () => Promise<Target>, cases: number): void {
  describe(name, () => {
    let target: Target;
    beforeAll(async () => {
      target = await open();
    });
    afterAll(() => target.close());

    it('the service answers each request as documented; a refused request changes no data', async () => {
      const found = await fuzz(target, { cases, seed });
      report(
        `${name}: ${found.cases} generated requests to ${found.operations} operations (seed ${seed}): ` +
          `${JSON.stringify(found.answers)}, ${found.accepted.size} operations accepted a request, ` +
          `${found.problems.length} problems`,
      );
      expect(found.problems.slice(0, 20)).toEqual([]);
      expect(found.unasked, 'operations without a request').toEqual([]);
      expect(found.accepted.size).toBeGreaterThan(found.operations * wantedShare);
    });
  });
}
