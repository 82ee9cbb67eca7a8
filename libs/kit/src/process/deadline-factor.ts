// Multiplies every built-in deadline by one setting, so that nested deadlines keep their order.

/** An invalid value is ignored here and reported with all other settings at start. */
const given = Number(process.env.DEADLINE_FACTOR || 1);
const factor = given >= 1 && given <= 1000 ? given : 1;

/** The default deadline multiplied by `DEADLINE_FACTOR`. */
export const deadlineMs = (defaultMs: number): number => defaultMs * factor;
