// Finds the journal rows of an order by its id and content.
import {
  creditAccount,
  firstPlayerAccount,
  houseAccount,
  issuanceAccount,
  type Kind,
  type Result,
} from '@counterfoil/wallet-server/ledger/rules/movement';
import type { Order, OrderKind } from '../client/order.ts';
import { keyOf } from '../client/order.ts';
import type { Facts, JournalRow } from './facts.ts';

export const movesMoney = (result: Result): boolean =>
  result === 'applied' || result === 'late' || result === 'rolled_back';

/** Refusals that the journal stores. */
export const isStoredRefusal = (result: Result): boolean =>
  ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'].includes(result);

/**
 * The account that the row is about, with its balance after the row: the package's credit for a top-up,
 * otherwise the account of the player.
 */
export function subjectOf(row: JournalRow): { account: bigint; balance: bigint } {
  const debit = { account: row.debitAccount, balance: row.debitBalance };
  const credit = { account: row.creditAccount, balance: row.creditBalance };
  if (row.kind === 'top_up') return credit;
  return row.debitAccount >= firstPlayerAccount ? debit : credit;
}

/** Groups the rows by order key. */
export function groupRows({ packageId, rows }: Facts): Map<string, JournalRow[]> {
  const groups = new Map<string, JournalRow[]>();
  for (const row of rows) {
    const key = keyOf({ packageId, kind: row.kind as OrderKind, id: row.id });
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

export const accountOf = (facts: Facts, { kind, player }: Order): bigint | undefined =>
  kind === 'top_up' ? creditAccount : facts.accounts.get(player);

/** The source and target accounts of this kind of movement. */
function wayOf(kind: Kind, player: bigint): readonly [from: bigint, to: bigint] {
  switch (kind) {
    case 'credit':
      return [creditAccount, player];
    case 'debit':
      return [player, creditAccount];
    case 'top_up':
      return [issuanceAccount, creditAccount];
    case 'top_up_reversal':
      return [creditAccount, issuanceAccount];
    case 'bet':
    case 'bet_of_bet_win':
      return [player, houseAccount];
    default:
      return [houseAccount, player];
  }
}

/** Whether the row matches the order in kind, accounts, direction, amount and reference. */
export function fits(facts: Facts, row: JournalRow, order: Order): boolean {
  const account = accountOf(facts, order);
  if (account === undefined || row.kind !== order.kind) return false;
  const [from, to] = wayOf(row.kind, account);
  return (
    row.debitAccount === from &&
    row.creditAccount === to &&
    (order.amountMinor === undefined || order.amountMinor === row.amount) &&
    refersTo(row, order)
  );
}

/**
 * Whether a row refers to the same bet as an order. The journal stores only the hash of the bet's id. If the
 * journal has no row of the bet, the bet's id is unknown and `found` is empty. Then the row may match any
 * reference.
 */
const refersTo = ({ reference: found }: JournalRow, { reference: wanted }: Order): boolean =>
  found === wanted || (found === '' && wanted !== undefined);
