// The sizes of attacks: small in `npm test`, full in `npm run faults -- attacks`.

export const isWhole = process.env.ATTACKS === 'whole';

export const size = (quick: number, whole: number): number =>
  Number(process.env.ATTACK_CASES ?? (isWhole ? whole : quick));

/** The seed: fixed in the suite, new in a full run, always printed to repeat a run. */
export const seed = Number(
  process.env.ATTACK_SEED ?? (isWhole ? Math.floor(Math.random() * 2 ** 30) : 20_261_115),
);

/** Prints one line. */
export const report = (line: string): void => void process.stdout.write(`${line}\n`);
