// Makes the events about movements and about closed rounds.
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import type { WebhookEvent } from '@counterfoil/webhooks/outbox/event';
import { markConnection, type NamedConnection } from '../connections/connection.ts';
import type { RoundPart } from '../ledger/round-queries.ts';
import {
  cashAccountOf,
  creditAccount,
  firstPlayerAccount,
  getSubject,
  type Movement,
  movesMoney,
} from '../ledger/rules/movement.ts';
import { markPromo, markShortfall } from '../wire/movement.ts';

export interface Names {
  readonly unit: Unit;
  readonly players: ReadonlyMap<bigint, string>;
  /** The ids of rounds, by the hash of the round. */
  readonly rounds: ReadonlyMap<string, string>;
  /** The connections that movements came through, by the sequence of the movement. */
  readonly connections: ReadonlyMap<bigint, NamedConnection>;
}

/**
 * The subject of an event. It contains the account number, which does not change when the player is erased.
 */
const subjectOf = (account: bigint) =>
  account >= firstPlayerAccount ? `player:${cashAccountOf(account)}` : 'credit';

/**
 * The event about a changed balance. Undefined if no money moved: for refusals, and for bets and wins of
 * zero.
 */
export function findBalanceEvent(movement: Movement, names: Names): WebhookEvent | undefined {
  if (!movesMoney(movement.result) || movement.amount === 0n) return undefined;
  const { account, balance } = getSubject(movement);
  const { unit } = names;
  const amount = toJsonNumber(movement.amount, unit);
  const credit = findCredit(movement);
  return {
    id: `mov_${movement.packageId}_${movement.sequence}`,
    type: 'balance.changed',
    subject: subjectOf(account),
    at: new Date(movement.createdAtMs),
    data: {
      sequence: Number(movement.sequence),
      player_id: names.players.get(account) ?? null,
      transaction_id: movement.transactionId,
      kind: movement.kind.replace(/_of_bet_win$/, ''),
      change: movement.creditAccount === account ? amount : -amount,
      balance: toJsonNumber(balance, unit),
      currency: unit.currency,
      package_balance: credit === undefined ? null : toJsonNumber(credit, unit),
      game_id: movement.gameId ?? null,
      round_id: names.rounds.get(movement.roundHash ?? '') ?? null,
      ...markPromo(account),
      ...markShortfall(movement, unit),
      ...markConnection(names.connections.get(movement.sequence)),
    },
  };
}

/** The credit of the package after the movement; undefined if the movement did not change the credit. */
function findCredit(movement: Movement): bigint | undefined {
  if (movement.debitAccount === creditAccount) return movement.debitBalance;
  return movement.creditAccount === creditAccount ? movement.creditBalance : undefined;
}

/**
 * The event about a closed round. Its id depends only on the package, the round and the player's account, so
 * a repeated event has the same id.
 */
export const makeRoundEvent = (
  packageId: number,
  part: RoundPart & { readonly connection: NamedConnection | undefined },
  names: Pick<Names, 'unit' | 'players'>,
): WebhookEvent => ({
  id: `rnd_${packageId}_${part.hash}_${part.account}`,
  type: 'round.settled',
  subject: subjectOf(part.account),
  at: part.closedAt ?? part.openedAt,
  data: {
    player_id: names.players.get(part.account) ?? null,
    round_id: part.id,
    game_id: part.gameId ?? null,
    bet_total: toJsonNumber(part.betTotal, names.unit),
    win_total: toJsonNumber(part.winTotal, names.unit),
    currency: names.unit.currency,
    opened_at: part.openedAt.toISOString(),
    closed_at: part.closedAt?.toISOString() ?? null,
    ...markPromo(part.account),
    ...markConnection(part.connection),
  },
});
