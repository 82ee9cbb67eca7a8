// A movement as the feed and the journal explorer show it.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { ConnectionMark, markConnection, type NamedConnection } from '../connections/connection.ts';
import type { JournalEntry } from '../ledger/queries.ts';
import { changeOf, creditAccount, firstPlayerAccount, getSubject } from '../ledger/rules/movement.ts';
import { PromoMark, presentMovement, Shortfall } from '../wire/movement.ts';

const TextOrNull = Nullable(Type.String());

export const FeedLine = named(
  'Movement',
  Type.Object({
    sequence: Type.Integer({ description: 'Increases by one, without gaps.' }),
    created_at: Type.String({ format: 'date-time' }),
    kind: Type.String(),
    result: Type.String(),
    transaction_id: Type.String(),
    player_id: TextOrNull,
    amount: Type.Number(),
    player_change: Type.Number({ description: "The change of the player's balance." }),
    credit_change: Type.Number({ description: "The change of the package's credit." }),
    balance: Type.Number({
      description: "The player's balance after the movement; for a top-up, the package's credit.",
    }),
    game_id: TextOrNull,
    round_id: TextOrNull,
    purse: PromoMark,
    shortfall: Shortfall,
    connection: ConnectionMark,
    note: Type.String(),
    hash: Type.String({ description: "The row's hash in the hash chain, as in the daily export." }),
  }),
);

export interface FeedEntry extends JournalEntry {
  readonly playerId: string | undefined;
  readonly roundId: string | undefined;
  /** The connection that the movement came through; undefined for the wallet's own protocol. */
  readonly connection: NamedConnection | undefined;
}

export function presentFeedLine(entry: FeedEntry, unit: Unit) {
  const { movement, hash, note, playerId, roundId, connection } = entry;
  const { account } = getSubject(movement);
  const isPlayers = account >= firstPlayerAccount;
  return {
    ...presentMovement(movement, unit),
    player_id: playerId ?? null,
    player_change: toJsonNumber(isPlayers ? changeOf(movement, account) : 0n, unit),
    credit_change: toJsonNumber(changeOf(movement, creditAccount), unit),
    game_id: movement.gameId ?? null,
    round_id: roundId ?? null,
    ...markConnection(connection),
    note: note ?? '',
    hash: hash.toString('hex'),
  };
}
