// The sizes of attacks: small in the test suites, full in `npm run faults -- attacks`.

export const isWhole = process.env.ATTACKS === 'whole';

export const size = (quick: number, whole: number): number =>
  Number(process.env.ATTACK_CASES ?? (isWhole ? whole : quick));

/**
 * The random seed. In the test suites, the seed is fixed. In a full run, the seed is random, and is printed
 * so that the run can be repeated.
 */
export const seed = Number(
  process.env.ATTACK_SEED ?? (isWhole ? Math.floor(Math.random() * 2 ** 30) : 20_261_115),
);

export const report = (line: string): void => void process.stdout.write(`${line}\n`);
