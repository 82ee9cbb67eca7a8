// How Node is told to run a service; package.json says the same for a service that runs alone.

/**
 * Requests that wait for the database survive the collector's quick rounds and are copied each time.
 * With room for more of them (64 instead of 16 MiB) there are fewer rounds, and a sixth of the cost.
 */
export const serviceFlags: readonly string[] = ['--max-semi-space-size=64'];
