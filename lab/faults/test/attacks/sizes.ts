// How much is tried: little in `npm test`, as much as was promised by `npm run faults -- attacks`.

export const isWhole = process.env.ATTACKS === 'whole';

export const size = (quick: number, whole: number): number =>
  Number(process.env.ATTACK_CASES ?? (isWhole ? whole : quick));

/** Fixed in the suite, new in a whole run; printed either way, and given again to repeat a run. */
export const seed = Number(
  process.env.ATTACK_SEED ?? (isWhole ? Math.floor(Math.random() * 2 ** 30) : 20_261_115),
);

/** One line per figure, for whoever reads the run. */
export const report = (line: string): void => void process.stdout.write(`${line}\n`);
