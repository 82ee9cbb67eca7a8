// Prepares the hours for the plot: adds the hours without validations as zeros, because the service does not
// return these hours, and removes the current hour.
export interface Hour {
  readonly hour: string;
  readonly valid: number;
  readonly invalid: number;
}

export const hourMs = 3_600_000;

/**
 * Removes the current hour, because an incomplete hour would look like a drop in the plot. If all earlier
 * hours are empty, the current hour stays.
 */
export function dropRunningHour(hours: readonly Hour[]): readonly Hour[] {
  const over = hours.slice(0, -1);
  return over.some(({ valid, invalid }) => valid + invalid > 0) ? over : hours;
}

export function fillHours(hours: readonly Hour[], from: string, count: number): readonly Hour[] {
  const known = new Map(hours.map((each) => [Date.parse(each.hour), each]));
  const start = Math.floor(Date.parse(from) / hourMs) * hourMs;
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * hourMs;
    return known.get(at) ?? { hour: new Date(at).toISOString(), valid: 0, invalid: 0 };
  });
}
