// How Node is told to run a service; package.json says the same for a service that runs alone.

/**
 * Requests that wait for the database survive the collector's quick rounds and are copied each time.
 * With room for more of them (32 instead of 16 MiB) there are fewer rounds; 64 would take a service
 * beyond 300 MB of memory.
 */
export const serviceFlags: readonly string[] = ['--max-semi-space-size=32'];
