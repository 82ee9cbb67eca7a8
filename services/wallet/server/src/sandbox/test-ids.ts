// The player and game ids with a special meaning on a sandbox; on a real package they are ordinary.

/**
 * docs/guide/sandbox.md lists the answer to each call that names one of these ids. A test compares
 * the list with the service.
 */
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

const effects: Readonly<Record<string, string>> = {
  [testPlayers.insufficient]: 'the balance is too low for debits and bets',
  [testPlayers.ceiling]: 'credits and wins would exceed the balance limit',
  [testPlayers.blocked]: 'blocked',
  [testPlayers.slow]: 'answered after 2 s',
  [testPlayers.rateLimited]: '429',
  [testPlayers.unavailable]: '503, nothing moves',
  [testPlayers.unknown]: '503 `outcome_unknown`, although money moves',
  [testGames.providerDown]: '503 for a launch of this game',
  [testGames.unavailable]: '403 for a launch of this game',
};

/** One sentence about the test ids for the API reference. */
export const describeTestIds = (): string =>
  `${Object.entries(effects)
    .map(([id, effect]) => `\`${id}\` (${effect})`)
    .join(', ')}.`;
