/** Limits of a client that a slow machine does not exceed. */
export const patient = { timeoutMs: 600_000, deadlineMs: 600_000 } as const;
