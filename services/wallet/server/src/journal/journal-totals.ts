// The totals of a part of the journal, by kind and by side of the ledger.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { formatMinor, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { type Kind, kindOf } from '../ledger/rules/movement.ts';
import type { addUpJournal } from './explore-journal.ts';
import type { KindSum } from './queries.ts';

type JournalTotals = Awaited<ReturnType<typeof addUpJournal>>;

type Side = 'players' | 'credit' | 'house' | 'issuance';

/** For each kind of movement, the side of the ledger that loses the money and the side that gets it. */
const sides: Record<Kind, readonly [from: Side, to: Side]> = {
  credit: ['credit', 'players'],
  debit: ['players', 'credit'],
  top_up: ['issuance', 'credit'],
  top_up_reversal: ['credit', 'issuance'],
  bet: ['players', 'house'],
  win: ['house', 'players'],
  bet_of_bet_win: ['players', 'house'],
  win_of_bet_win: ['house', 'players'],
  rollback: ['house', 'players'],
  end_round: ['house', 'players'],
  win_reversal: ['players', 'house'],
};

function addUpSides(sums: readonly KindSum[]): Record<Side, bigint> {
  const changes = { players: 0n, credit: 0n, house: 0n, issuance: 0n };
  for (const { kind, moved, amount } of sums) {
    if (!moved) continue;
    const [from, to] = sides[kindOf(kind)];
    changes[from] -= amount;
    changes[to] += amount;
  }
  return changes;
}

const Decimal = Type.String({ description: 'An exact decimal: sums may exceed 15 digits.' });

export const TotalsAnswer = named(
  'JournalTotals',
  Type.Object({
    currency: Type.String(),
    movements: Type.Integer(),
    kinds: Type.Array(
      Type.Object({
        kind: Type.String(),
        moved: Type.Boolean({ description: 'False if the movements were refused or moved nothing.' }),
        count: Type.Integer(),
        amount: Decimal,
      }),
    ),
    changes: Type.Object(
      { players: Decimal, credit: Decimal, house: Decimal, issuance: Decimal },
      { description: 'The changes of each side. Their sum is always zero.' },
    ),
    shortfall: Type.String({
      description:
        'The sum of the parts of reversed wins that the balances did not cover, as an exact decimal.',
    }),
    stretch: Nullable(
      Type.Object(
        { opening: Decimal, change: Decimal, closing: Decimal, adds_up: Type.Boolean() },
        { description: 'For one player and no other filter: opening + change = closing.' },
      ),
    ),
    complete: Type.Boolean({ description: 'False if there are more rows than one answer adds up.' }),
  }),
);

export function presentTotals({ sums, stretch, complete }: JournalTotals, unit: Unit) {
  const format = (minor: bigint) => formatMinor(minor, unit);
  const changes = addUpSides(sums);
  return {
    currency: unit.currency,
    movements: Number(sums.reduce((count, each) => count + each.count, 0n)),
    kinds: sums.map(({ kind, moved, count, amount }) => ({
      kind: kindOf(kind),
      moved,
      count: Number(count),
      amount: format(amount),
    })),
    changes: {
      players: format(changes.players),
      credit: format(changes.credit),
      house: format(changes.house),
      issuance: format(changes.issuance),
    },
    shortfall: format(sums.reduce((sum, each) => sum + each.shortfall, 0n)),
    stretch: stretch
      ? {
          opening: format(stretch.opening),
          change: format(changes.players),
          closing: format(stretch.closing),
          adds_up: stretch.opening + changes.players === stretch.closing,
        }
      : null,
    complete,
  };
}
