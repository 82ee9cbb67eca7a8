// Work that runs beside a test and is waited for at its end.

/** One that fails meanwhile fails the test where it is awaited, not the whole run at once. */
export function runningBeside<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const all = Promise.all(work);
  all.catch(() => {});
  return all;
}
