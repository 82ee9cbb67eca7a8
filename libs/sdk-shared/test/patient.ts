// Limits for a client under test.
/** Even a slow machine does not reach these time limits. */
export const patient = { timeoutMs: 600_000, deadlineMs: 600_000 } as const;
