// The events of the wallet: when each is sent, and what it contains.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { DocumentedEvent } from '@counterfoil/kit/http/openapi/webhooks';
import { type TSchema, Type } from 'typebox';
import { stateTypes } from '../packages/package-events.ts';

/** Derived from the journal. */
export const movementTypes = {
  'balance.changed': "A movement changed a player's balance, or a top-up the package's credit.",
  'round.settled': "A player's round was closed.",
} as const;

export const eventTypes = { ...movementTypes, ...stateTypes };

const orNull = (schema: TSchema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Time = Type.String({ format: 'date-time' });

const Level = Type.Enum(['low', 'critical', 'exhausted']);

const BalanceChange = named(
  'BalanceChange',
  Type.Object({
    sequence: Type.Integer({ description: "The movement's position in the package's journal." }),
    player_id: orNull(Type.String(), 'Null for a top-up.'),
    transaction_id: Type.String(),
    kind: Type.String({ description: 'credit, debit, bet, win, rollback or top_up.' }),
    change: Type.Number({ description: 'What it did to the balance.' }),
    balance: Type.Number({ description: "The player's, or the package's credit for a top-up." }),
    currency: Type.String(),
    package_balance: orNull(Type.Number(), 'Null where the credit did not move.'),
    game_id: orNull(Type.String(), 'The game, where the movement is of one.'),
    round_id: orNull(Type.String(), 'The round, where the movement is of one.'),
  }),
);

const SettledRound = named(
  'SettledRound',
  Type.Object({
    player_id: orNull(Type.String(), 'Null once the player was erased.'),
    round_id: Type.String(),
    game_id: orNull(Type.String(), 'The game, where it is known.'),
    bet_total: Type.Number({ description: 'At the moment of sending.' }),
    win_total: Type.Number({ description: 'At the moment of sending.' }),
    currency: Type.String(),
    opened_at: Time,
    closed_at: orNull(Time, 'When the round was closed.'),
  }),
);

const CreditChange = named(
  'CreditChange',
  Type.Object({
    package_id: Type.Integer(),
    level: orNull(Level, 'Null: above the threshold again.'),
    previous_level: orNull(Level, 'Null: it was above the threshold.'),
    package_balance: Type.Number({ description: 'The credit.' }),
    threshold: Type.Number({ description: "The package's alert threshold." }),
    currency: Type.String(),
  }),
);

const PackageChange = named(
  'PackageChange',
  Type.Object({
    package_id: Type.Integer(),
    uid: Type.String(),
    state: Type.Enum(['approved', 'suspended']),
  }),
);

const dataOf = (type: string): TSchema => {
  if (type === 'balance.changed') return BalanceChange;
  if (type === 'round.settled') return SettledRound;
  return type.startsWith('credit.') ? CreditChange : PackageChange;
};

export const documentedEvents: Readonly<Record<string, DocumentedEvent>> = Object.fromEntries(
  Object.entries(eventTypes).map(([type, description]) => [
    type,
    { description, data: dataOf(type) },
  ]),
);
