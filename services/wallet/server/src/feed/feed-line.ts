// A movement in the feed of a package, for reconciliation.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import {
  creditAccount,
  firstPlayerAccount,
  getSubject,
  type Movement,
  movesMoney,
} from '../ledger/rules/movement.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const FeedLine = named(
  'Movement',
  Type.Object({
    sequence: Type.Integer({ description: 'Counts up by one; no number is ever left out.' }),
    created_at: Type.String({ format: 'date-time' }),
    kind: Type.String(),
    result: Type.String(),
    transaction_id: Type.String(),
    player_id: TextOrNull,
    amount: Type.Number(),
    player_change: Type.Number({ description: "What it did to the player's balance." }),
    credit_change: Type.Number({ description: "What it did to the package's credit." }),
    balance: Type.Number({ description: 'Of the player after it; of a top-up, the credit.' }),
    game_id: TextOrNull,
    round_id: TextOrNull,
    note: Type.String(),
    hash: Type.String({ description: "The row's link in the hash chain, as in the daily file." }),
  }),
);

export interface FeedEntry {
  readonly movement: Movement;
  readonly hash: Buffer;
  readonly note: string | undefined;
  readonly playerId: string | undefined;
  readonly roundId: string | undefined;
}

export function presentFeedLine(entry: FeedEntry, currency: string) {
  const { movement, hash, note, playerId, roundId } = entry;
  const { account, balance } = getSubject(movement);
  const moved = movesMoney(movement.result) ? movement.amount : 0n;
  const changeOf = (id: bigint) => {
    if (movement.creditAccount === id) return moved;
    return movement.debitAccount === id ? -moved : 0n;
  };
  const isPlayers = account >= firstPlayerAccount;
  return {
    sequence: Number(movement.sequence),
    created_at: new Date(movement.createdAtMs).toISOString(),
    kind: movement.kind,
    result: movement.result,
    transaction_id: movement.transactionId,
    player_id: playerId ?? null,
    amount: toJsonNumber(movement.amount, currency),
    player_change: toJsonNumber(isPlayers ? changeOf(account) : 0n, currency),
    credit_change: toJsonNumber(changeOf(creditAccount), currency),
    balance: toJsonNumber(balance, currency),
    game_id: movement.gameId ?? null,
    round_id: roundId ?? null,
    note: note ?? '',
    hash: hash.toString('hex'),
  };
}
