// The events of the wallet service, and when each is sent.

/** Read from the journal itself. */
export const movementTypes = {
  'balance.changed': "A movement changed a player's balance, or a top-up the package's credit.",
  'round.settled': "A player's round was closed.",
} as const;

/** Written beside what they tell of. */
export const stateTypes = {
  'credit.low': "The package's credit fell to its alert threshold, or came back to there.",
  'credit.critical': 'It is at a quarter of the threshold or less.',
  'credit.exhausted': 'It is used up with its overdraft: players cannot be credited.',
  'credit.restored': 'It is above the threshold again.',
  'package.suspended': 'The package was suspended: it gives out no money.',
  'package.resumed': 'The suspension was taken back.',
} as const;

export const eventTypes = { ...movementTypes, ...stateTypes };
