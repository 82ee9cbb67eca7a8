// Multiplies every built-in deadline by one setting, so that nested deadlines keep their order.

/**
 * An invalid DEADLINE_FACTOR is ignored here. When the service starts, it reports the value together with the
 * problems of all other settings.
 */
const given = Number(process.env.DEADLINE_FACTOR || 1);
const factor = given >= 1 && given <= 1000 ? given : 1;

/** The default deadline multiplied by `DEADLINE_FACTOR`. */
export const deadlineMs = (defaultMs: number): number => defaultMs * factor;
