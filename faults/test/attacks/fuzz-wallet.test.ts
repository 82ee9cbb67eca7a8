// The wallet service under generated requests to every operation of its own document.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';
import { listOperations } from './operations.ts';
import { isWhole, report, seed, size } from './sizes.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

let target: Target;
beforeAll(async () => {
  target = await openWalletTarget();
});
afterAll(() => target.close());

it('never fails, never hangs, answers as documented, and a refusal changes nothing', async () => {
  const cases = size(listOperations(target.document).length, 10_000);
  const found = await fuzz(target, { cases, seed });
  report(
    `wallet: ${found.cases} generated requests to ${found.operations} operations (seed ${seed}): ${JSON.stringify(found.answers)}, ${found.accepted.size} operations let some through, ${found.problems.length} problems`,
  );
  expect(found.problems.slice(0, 20)).toEqual([]);
  expect(found.unasked, 'operations without a case').toEqual([]);
  // A request or two to each hit upon fewer than sixty do.
  expect(found.accepted.size).toBeGreaterThan(found.operations * (isWhole ? 0.4 : 0.2));
}, 1_800_000);
