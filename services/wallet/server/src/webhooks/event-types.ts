// The events of the wallet service, and when each is sent.
import { stateTypes } from '../packages/package-events.ts';

/** Read from the journal itself. */
export const movementTypes = {
  'balance.changed': "A movement changed a player's balance, or a top-up the package's credit.",
  'round.settled': "A player's round was closed.",
} as const;

export const eventTypes = { ...movementTypes, ...stateTypes };
