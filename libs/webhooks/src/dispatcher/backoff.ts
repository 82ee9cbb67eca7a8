// How long to wait after failures: longer each time, never in step with others.

const firstMs = 5_000;
const longestMs = 3_600_000;
const longestPauseMs = 300_000;

/** 5 s, 10 s, 20 s … 1 h, each less up to a fifth by chance. */
const wait = (failures: number, mostMs: number, random: () => number): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, 20), mostMs) * (1 - random() / 5);

/** Until an event is tried again; what the receiver asks for counts, up to an hour. */
export const waitForEvent = (
  attempts: number,
  retryAfterMs = 0,
  random: () => number = Math.random,
): number =>
  Math.round(Math.max(wait(attempts, longestMs, random), Math.min(retryAfterMs, longestMs)));

/** Until an endpoint that failed wholly is asked again: at most 5 minutes, lest it wait for nothing. */
export const waitForEndpoint = (turns: number, random: () => number = Math.random): number =>
  Math.round(wait(turns, longestPauseMs, random));
