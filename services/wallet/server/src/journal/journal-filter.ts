// The filter of the journal explorer, as it is sent and as queries use it.
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type Static, type TObject, Type } from 'typebox';
import { fail } from '../errors.ts';
import {
  accountOfPurse,
  accountsOfPlayer,
  type Kind,
  kinds,
  type Purse,
  purses,
  type Result,
  results,
} from '../ledger/rules/movement.ts';
import { PlayerId } from '../players/player.ts';
import { getAccount } from '../players/queries.ts';
import { findFirstSequence } from '../proof/queries.ts';

/** Kinds as the panel groups them. The two legs of a bet_win count as a bet and as a win. */
const kindGroups = {
  credit: ['credit'],
  debit: ['debit'],
  bet: ['bet', 'bet_of_bet_win'],
  win: ['win', 'win_of_bet_win'],
  rollback: ['rollback', 'win_reversal'],
  end_round: ['end_round'],
  top_up: ['top_up', 'top_up_reversal'],
  callbacks: ['bet', 'win', 'bet_of_bet_win', 'win_of_bet_win', 'rollback', 'win_reversal', 'end_round'],
} as const satisfies Record<string, readonly Kind[]>;

const resultGroups = {
  moved: ['applied', 'late', 'rolled_back'],
  refused: ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'],
} as const satisfies Record<string, readonly Result[]>;

const Moment = Type.String({ format: 'date-time', maxLength: 40 });

export const FilterQuery = {
  kind: Type.Optional(Type.Enum(Object.keys(kindGroups) as (keyof typeof kindGroups)[])),
  result: Type.Optional(
    Type.Enum(Object.keys(resultGroups) as (keyof typeof resultGroups)[], {
      description: '`moved`: only movements that moved money. `refused`: only final refusals.',
    }),
  ),
  player_id: Type.Optional(PlayerId),
  purse: Type.Optional(
    Type.Enum(purses, { description: 'Only with `player_id`: cash or promo money. Both by default.' }),
  ),
  game_id: Type.Optional(PrintableText({ min: 1, max: 128 })),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
};

type SentFilter = Static<TObject<typeof FilterQuery>>;

export interface JournalFilter {
  readonly packageId: number;
  /** The accounts of the player whose movements are shown; undefined means all players. */
  readonly accounts: readonly bigint[] | undefined;
  /** The codes of the kinds to show; undefined means all kinds. */
  readonly kinds: readonly number[] | undefined;
  readonly results: readonly number[] | undefined;
  readonly gameId: string | undefined;
  /** The first and the last sequence that may be shown. `last` is undefined if the range has no end. */
  readonly first: bigint;
  readonly last: bigint | undefined;
}

/** Converts times to sequences, so that all further queries use only the primary key. */
export async function readFilter(db: Queryable, packageId: number, sent: SentFilter): Promise<JournalFilter> {
  const { kind, result, player_id: playerId, purse } = sent;
  if (purse !== undefined && playerId === undefined) {
    throw fail('invalid_parameter', { errors: { purse: ['needs player_id.'] } });
  }
  const [from, to] = [readMoment('from', sent.from), readMoment('to', sent.to)];
  const account = playerId === undefined ? undefined : await getAccount(db, packageId, playerId);
  return {
    packageId,
    accounts: account === undefined ? undefined : listAccounts(account, purse),
    kinds: kind && kindGroups[kind].map((name) => kinds[name]),
    results: result && resultGroups[result].map((name) => results[name]),
    gameId: sent.game_id,
    first: from ? await findFirstSequence(db, packageId, from) : 1n,
    last: to && (await findFirstSequence(db, packageId, to)) - 1n,
  };
}

const listAccounts = (account: bigint, purse: Purse | undefined): readonly bigint[] =>
  purse ? [accountOfPurse(account, purse)] : accountsOfPlayer(account);

function readMoment(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) {
    throw fail('invalid_parameter', { errors: { [field]: ['must be a moment.'] } });
  }
  return moment;
}

/**
 * Whether the filter includes every row of the time range. In that case, each balance follows from the
 * balance of the previous row.
 */
export const isUnbroken = ({ kinds: some, results: which, gameId }: JournalFilter): boolean =>
  some === undefined && which === undefined && gameId === undefined;
