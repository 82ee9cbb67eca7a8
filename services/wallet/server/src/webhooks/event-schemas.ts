// The events of the wallet: when each is sent, and its data.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { DocumentedEvent } from '@counterfoil/kit/http/openapi/webhooks';
import { type TSchema, Type } from 'typebox';
import { ConnectionMark } from '../connections/connection.ts';
import { alertLevels } from '../packages/credit-alert.ts';
import { stateTypes } from '../packages/package-events.ts';
import { PromoMark, Shortfall } from '../wire/movement.ts';

/** Events that are derived from the journal. */
export const movementTypes = {
  'balance.changed': "A movement changed a player's balance, or a top-up changed the package's credit.",
  'round.settled': "A player's round was closed.",
} as const;

export const eventTypes = { ...movementTypes, ...stateTypes };

const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description });

const Time = Type.String({ format: 'date-time' });

const Level = Type.Enum(alertLevels);

const BalanceChange = named(
  'BalanceChange',
  Type.Object({
    sequence: Type.Integer({ description: "The movement's position in the package's journal." }),
    player_id: orNull(Type.String(), 'Null for a top-up.'),
    transaction_id: Type.String(),
    kind: Type.String({ description: 'credit, debit, bet, win, rollback, win_reversal or top_up.' }),
    change: Type.Number({ description: 'The change of the balance.' }),
    balance: Type.Number({ description: "The player's balance, or the package's credit for a top-up." }),
    currency: Type.String(),
    package_balance: orNull(Type.Number(), "The package's credit; null if it did not change."),
    game_id: orNull(Type.String(), 'The game; null if the movement has none.'),
    round_id: orNull(Type.String(), 'The round; null if the movement has none.'),
    purse: PromoMark,
    shortfall: Shortfall,
    connection: ConnectionMark,
  }),
);

const SettledRound = named(
  'SettledRound',
  Type.Object({
    player_id: orNull(Type.String(), 'Null if the player was erased.'),
    round_id: Type.String(),
    game_id: orNull(Type.String(), 'The game; null if it is not known.'),
    bet_total: Type.Number({ description: 'The sum when the event is sent.' }),
    win_total: Type.Number({ description: 'The sum when the event is sent.' }),
    currency: Type.String(),
    opened_at: Time,
    closed_at: orNull(Time, 'Time at which the round was closed.'),
    purse: PromoMark,
    connection: ConnectionMark,
  }),
);

const CreditChange = named(
  'CreditChange',
  Type.Object({
    package_id: Type.Integer(),
    level: orNull(Level, 'Null if the credit is above the threshold again.'),
    previous_level: orNull(Level, 'Null if the credit was above the threshold.'),
    package_balance: Type.Number({ description: "The package's credit." }),
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
  Object.entries(eventTypes).map(([type, description]) => [type, { description, data: dataOf(type) }]),
);
