// Output of `npm start` while it starts and stops.

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Does the work, then prints the title and the time that the work took. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`  ✓ ${title} (${seconds} s)`);
  return result;
}
