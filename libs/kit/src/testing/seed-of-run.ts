// The seed of all random tests of a run.

/**
 * The seed is fixed, so that the result of a test run depends on the code only. To test other cases, set
 * `TEST_SEED` to `random`. To repeat a failure, set `TEST_SEED` to the seed that the failure printed.
 */
export function seedOfRun(): number {
  const given = process.env.TEST_SEED ?? '20261118';
  return (given === 'random' ? Date.now() : Number(given)) >>> 0;
}
