// Days as inputs hold them, moments as the service does.

/** Undefined where no day is given: the end of it, UTC, so that the whole day counts. */
export const endOfDay = (day: string): string | undefined =>
  day === '' ? undefined : `${day}T23:59:59Z`;

export const toDay = (moment: string | undefined): string => moment?.slice(0, 10) ?? '';
