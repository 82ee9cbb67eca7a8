// Until when a new sale is supported where nobody names an end: a number of months after the sale.

/** The last second that a date may have; see `momentRule`. */
const latest = new Date('9998-12-31T23:59:59Z');

/** The same day of the month at the same time, or the last day of a month that is too short. */
export function addMonths(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  // The 31st of a month with 30 days is the 1st of the next one to the run-time.
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end > latest ? latest : end;
}
