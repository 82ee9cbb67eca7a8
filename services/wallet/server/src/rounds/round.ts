// A round as answers show it: totals and state for each player, and every event in its order.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { ConnectionMark, markConnection } from '../connections/connection.ts';
import type { RoundPart } from '../ledger/round-queries.ts';
import type { RoundStatus } from '../ledger/rules/decision.ts';
import { changeOf, getSubject, type Movement } from '../ledger/rules/movement.ts';
import { markPromo, PromoMark, presentMovement, Shortfall } from '../wire/movement.ts';
import type { getRound, PlayedPart } from './queries.ts';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const form = /^([1-9][0-9]{0,3})([mhd])$/;

export const Age = Type.String({ pattern: form.source, description: 'An age such as 30m, 1h or 2d.' });

/** Returns the age in milliseconds, or undefined if the text is not an age. */
export function findAge(text: string): number | undefined {
  const [, count, unit] = form.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}

export function parseAge(text: string): number {
  const age = findAge(text);
  if (age === undefined) throw new Error('the schema accepts no such age');
  return age;
}

const Time = Type.String({ format: 'date-time' });

const State = Type.Enum(['open', 'closed', 'void'], {
  description: '`void` while no bet or win counts, because each was refused or rolled back.',
});

const partFields = {
  player_id: Type.String(),
  game_id: Nullable(Type.String()),
  state: State,
  bet_total: Type.Number({ description: 'The bets that were not rolled back.' }),
  win_total: Type.Number(),
  opened_at: Time,
  closed_at: Nullable(Time),
  purse: PromoMark,
  connection: ConnectionMark,
};

export const RoundLine = named('RoundOfPlayer', Type.Object({ round_id: Type.String(), ...partFields }));

export const RoundAnswer = named(
  'Round',
  Type.Object({
    round_id: Type.String(),
    state: Type.Enum(['open', 'closed', 'void'], {
      description:
        '`open` if the round is open for a listed player; `void` if it is void for every listed player; ' +
        'otherwise `closed`.',
    }),
    currency: Type.String(),
    bet_total: Type.Number(),
    win_total: Type.Number(),
    players: Type.Array(Type.Object(partFields), {
      description: 'Several players may share a round_id. Each has a separate part.',
    }),
    events: Type.Array(
      Type.Object({
        sequence: Type.Integer({ description: "The event's position in the package's journal." }),
        created_at: Time,
        player_id: Type.String(),
        kind: Type.String({ description: 'bet, win, rollback, win_reversal or end_round.' }),
        transaction_id: Type.String(),
        amount: Type.Number(),
        change: Type.Number({ description: "The change of the player's balance." }),
        balance: Type.Number(),
        result: Type.String(),
        purse: PromoMark,
        shortfall: Shortfall,
        connection: ConnectionMark,
        names_round: Type.Boolean({
          description: 'False for a rollback or win that named a bet of the round, but not the round.',
        }),
      }),
      { description: 'In the order in which they happened.' },
    ),
    truncated: Type.Boolean({
      description: 'True if players or events were left out. Name a player to see the rest.',
    }),
  }),
);

const presentPart = (part: PlayedPart, players: ReadonlyMap<bigint, string>, unit: Unit) => ({
  player_id: players.get(part.account) ?? '',
  game_id: part.gameId ?? null,
  state: part.status,
  bet_total: toJsonNumber(part.betTotal, unit),
  win_total: toJsonNumber(part.winTotal, unit),
  opened_at: part.openedAt.toISOString(),
  closed_at: part.closedAt?.toISOString() ?? null,
  ...markPromo(part.account),
  ...markConnection(part.connection),
});

export const presentRoundLine = (part: PlayedPart, players: ReadonlyMap<bigint, string>, unit: Unit) => ({
  round_id: part.id,
  ...presentPart(part, players, unit),
});

export function presentRound(round: Awaited<ReturnType<typeof getRound>>, unit: Unit) {
  const { parts, players } = round;
  const sum = (pick: (part: RoundPart) => bigint) =>
    toJsonNumber(
      parts.reduce((total, part) => total + pick(part), 0n),
      unit,
    );
  return {
    round_id: round.roundId,
    state: combineStatus(parts.map((part) => part.status)),
    currency: unit.currency,
    bet_total: sum((part) => part.betTotal),
    win_total: sum((part) => part.winTotal),
    players: parts.map((part) => presentPart(part, players, unit)),
    events: round.events.map(({ movement, part }) => ({
      ...presentEvent(movement, players, unit),
      ...markConnection(part.connection),
      names_round: movement.roundHash === part.hash,
    })),
    truncated: round.truncated,
  };
}

function combineStatus(statuses: readonly RoundStatus[]): RoundStatus {
  if (statuses.includes('open')) return 'open';
  return statuses.includes('closed') ? 'closed' : 'void';
}

function presentEvent(movement: Movement, players: ReadonlyMap<bigint, string>, unit: Unit) {
  const { account } = getSubject(movement);
  return {
    ...presentMovement(movement, unit),
    player_id: players.get(account) ?? '',
    kind: movement.kind.replace(/_of_bet_win$/, ''),
    change: toJsonNumber(changeOf(movement, account), unit),
  };
}
