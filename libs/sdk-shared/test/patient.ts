// Limits for a client under test.
/** A slow machine does not exceed them. */
export const patient = { timeoutMs: 600_000, deadlineMs: 600_000 } as const;
