// Scales every built-in deadline by one setting, so that deadlines inside one another keep their order.

/** Checked with all other settings at start; what is wrong here is named there. */
const given = Number(process.env.DEADLINE_FACTOR || 1);
const factor = given >= 1 && given <= 1000 ? given : 1;

/** A built-in deadline on this machine: `DEADLINE_FACTOR` times the time it has by default. */
export const deadlineMs = (defaultMs: number): number => defaultMs * factor;
