// Rebuilds the body of a callback from the journal.

import { formatMinor, type Unit } from '@counterfoil/kit/money';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashesOf } from '../callbacks/to-command.ts';
import { fail } from '../errors.ts';
import { listJournalRows, listMovementsByHash } from '../ledger/queries.ts';
import { listRoundParts } from '../ledger/round-queries.ts';
import { changeOf, getSubject, isOfGame, isPromoAccount, type Movement } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';

export type RebuiltCallback = Awaited<ReturnType<typeof rebuildCallback>>;

/** In the result, `before` is the balance of the player before the original callback. */
export async function rebuildCallback(
  db: Queryable,
  wanted: { packageId: number; sequence: bigint; unit: Unit },
) {
  const { packageId, sequence, unit } = wanted;
  const [row] = await listJournalRows(db, packageId, [sequence]);
  const movement = row?.movement;
  if (!movement || !isOfGame(movement)) throw fail('transaction_not_found');
  const { account } = getSubject(movement);
  // Callbacks cannot move promo money or take wins back. Only provider connections do this.
  if (isPromoAccount(account) || movement.kind === 'win_reversal') throw fail('transaction_not_found');
  const playerId = (await nameAccounts(db, packageId, [account])).get(account) ?? '';
  const parts = { db, packageId, movement, account };
  const game = { player_id: playerId, ...(movement.gameId && { game_id: movement.gameId }) };
  const body = { ...game, ...(await findRound(parts)), ...(await findAction(parts, unit)) };
  return { body, playerId, before: await findBefore(parts), result: movement.result };
}

interface Parts {
  readonly db: Queryable;
  readonly packageId: number;
  readonly movement: Movement;
  readonly account: bigint;
}

async function findRound({ db, packageId, movement, account }: Parts) {
  const { roundHash: hash } = movement;
  if (hash === undefined) return {};
  const [part] = await listRoundParts(db, { packageId, hashes: [hash], accounts: [account], limit: 1 });
  return part ? { round_id: part.id } : {};
}

async function findAction(parts: Parts, unit: Unit): Promise<Record<string, unknown>> {
  const { movement } = parts;
  const { transactionId: transaction_id, kind } = movement;
  const amount = formatMinor(movement.amount, unit);
  if (kind === 'end_round') return { action: 'end_round' };
  if (kind === 'bet') return { action: 'bet', transaction_id, amount };
  if (kind === 'win') return { action: 'win', transaction_id, amount, ...(await refer(parts)) };
  if (kind === 'rollback') {
    const reference = await refer(parts);
    // If the rollback came before its bet, the journal has only the hash of the bet's id. The callback then
    // cannot be rebuilt.
    if (!reference.reference_transaction_id) throw fail('transaction_not_found');
    return { action: 'rollback', transaction_id, ...reference };
  }
  const legs = await listLegs(parts);
  const of = (leg: Movement['kind']) =>
    formatMinor(legs.find((each) => each.kind === leg)?.amount ?? 0n, unit);
  const [bet_amount, win_amount] = [of('bet_of_bet_win'), of('win_of_bet_win')];
  return { action: 'bet_win', transaction_id, bet_amount, win_amount };
}

const listLegs = ({ db, packageId, movement }: Parts): Promise<Movement[]> =>
  listMovementsByHash(db, packageId, hashesOf(movement.transactionId));

async function refer({ db, packageId, movement }: Parts) {
  const { referenceHash } = movement;
  if (referenceHash === undefined) return {};
  const [bet] = await listMovementsByHash(db, packageId, [referenceHash]);
  return bet ? { reference_transaction_id: bet.transactionId } : {};
}

/** The balance of the player before the callback; for a bet_win, before its first leg. */
async function findBefore(parts: Parts): Promise<bigint> {
  const { movement, account } = parts;
  const isTwofold = movement.kind.endsWith('_of_bet_win');
  const first = (isTwofold && (await listLegs(parts))[0]) || movement;
  return getSubject(first).balance - changeOf(first, account);
}
