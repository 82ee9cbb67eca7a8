// The players and games that mean something on a sandbox twin; on a real package they are like any.

/** What becomes of calls about each is told in docs/sandbox.md, row by row. */
export const testPlayers = {
  insufficient: 'test_insufficient',
  ceiling: 'test_ceiling',
  blocked: 'test_blocked',
  slow: 'test_slow',
  rateLimited: 'test_rate_limited',
  unavailable: 'test_unavailable',
  unknown: 'test_unknown',
} as const;

export const testGames = {
  providerDown: 'test_provider_down',
  unavailable: 'test_game_unavailable',
} as const;

const players: ReadonlySet<unknown> = new Set(Object.values(testPlayers));

export const isTestPlayer = (id: unknown): id is string => players.has(id);
