// Invariant I8 for rows: every row has the result that the rules demand after all earlier rows.
import { maxBalance, type Result } from '@counterfoil/wallet-server/ledger/rules/movement';
import type { Facts, JournalRow } from './facts.ts';
import { isStoredRefusal, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

interface Bet {
  readonly account: bigint;
  readonly amount: bigint;
  readonly isRefused: boolean;
  state?: 'settled' | 'rolled_back';
}

/** The state of the ledger after the rows that were checked so far. */
interface Books {
  readonly balances: Map<bigint, bigint>;
  /** The bets by their id. */
  readonly bets: Map<string, Bet>;
  /** Bets that were rolled back before they arrived, by account and id. */
  readonly tombstones: Set<string>;
}

/** The allowed results of a row; the list is empty if the rules refuse the order without storing it. */
interface Wanted {
  readonly results: readonly Result[];
  readonly amount?: bigint;
}

export function checkRules(facts: Facts): Violation[] {
  const books: Books = { balances: new Map(), bets: new Map(), tombstones: new Set() };
  return facts.rows.flatMap((row) => {
    const wanted = expectResult(facts, books, row);
    // The check continues from the stored row, so that one wrong row is reported only once.
    recordRow(books, row);
    if (!wanted) return [];
    const { results, amount = row.amount } = wanted;
    if (results.includes(row.result) && row.amount === amount) return [];
    const rules = results.length === 0 ? 'refuse it' : `demand ${results.join(' or ')} of ${amount}`;
    const found = `${row.kind} ${row.id} is ${row.result} of ${row.amount}`;
    return [violation('I8', `row ${row.sequence}: ${found}, but the rules ${rules}`)];
  });
}

/**
 * Returns undefined for kinds of movements that no caller of a test run sends. The check of I2 reports rows
 * of these kinds.
 */
function expectResult(facts: Facts, books: Books, row: JournalRow): Wanted | undefined {
  switch (row.kind) {
    case 'credit':
    case 'debit':
    case 'top_up':
      return orRefused(facts, books, row, 'applied');
    case 'bet':
      return books.tombstones.has(nameBet(row, row.id))
        ? { results: [] }
        : orRefused(facts, books, row, row.amount === 0n ? 'recorded' : 'applied');
    case 'win':
      return expectWin(facts, books, row);
    case 'rollback':
      return expectRollback(facts, books, row);
    default:
      return undefined;
  }
}

/**
 * If the player's balance or the package's credit is too low, or if a balance would exceed its limit, only
 * the refusals for these causes are allowed. Otherwise only the result `otherwise` is allowed.
 */
function orRefused(
  { overdraftLimit }: Facts,
  { balances }: Books,
  { kind, debitAccount, creditAccount: to, amount }: JournalRow,
  otherwise: Result,
): Wanted {
  const left = (balances.get(debitAccount) ?? 0n) - amount;
  const refusals: Result[] = [];
  if (kind === 'credit' && left < -overdraftLimit) refusals.push('package_credit_exhausted');
  if ((kind === 'debit' || kind === 'bet') && left < 0n) refusals.push('insufficient_funds');
  // A bet pays into the house account, whose balance has no limit. All other accounts have a limit.
  const hasLimit = kind !== 'bet';
  if (hasLimit && (balances.get(to) ?? 0n) + amount > maxBalance) refusals.push('balance_limit');
  return { results: refusals.length > 0 ? refusals : [otherwise] };
}

function expectWin(facts: Facts, books: Books, row: JournalRow): Wanted {
  if (row.reference !== undefined) {
    const bet = findBet(books, row);
    if (!bet || bet.isRefused || bet.state === 'rolled_back') return { results: [] };
  }
  return orRefused(facts, books, row, row.amount === 0n ? 'recorded' : 'applied');
}

function expectRollback(facts: Facts, books: Books, row: JournalRow): Wanted {
  if (row.reference === undefined) return { results: [] };
  const bet = findBet(books, row);
  if (!bet) return { results: ['tombstoned'], amount: 0n };
  if (bet.isRefused) return { results: ['nothing_to_roll_back'], amount: 0n };
  if (bet.state === 'rolled_back') return { results: ['already_rolled_back'], amount: 0n };
  if (bet.state === 'settled') return { results: [] };
  const { amount } = bet;
  return { ...orRefused(facts, books, { ...row, amount }, 'rolled_back'), amount };
}

/** A bet of another player counts as unknown. */
function findBet({ bets }: Books, row: JournalRow): Bet | undefined {
  const bet = bets.get(row.reference ?? '');
  return bet?.account === subjectOf(row).account ? bet : undefined;
}

const nameBet = (row: JournalRow, id: string): string => `${subjectOf(row).account} ${id}`;

function recordRow(books: Books, row: JournalRow): void {
  const { balances, bets, tombstones } = books;
  balances.set(row.debitAccount, row.debitBalance);
  balances.set(row.creditAccount, row.creditBalance);
  const isRefused = isStoredRefusal(row.result);
  if ((row.kind === 'bet' || row.kind === 'bet_of_bet_win') && !bets.has(row.id)) {
    const { account } = subjectOf(row);
    const bet: Bet = { account, amount: row.amount, isRefused };
    bets.set(row.id, row.kind === 'bet' ? bet : { ...bet, state: 'settled' });
    return;
  }
  if (row.reference === undefined) return;
  const bet = findBet(books, row);
  if (row.kind === 'rollback' && row.result === 'tombstoned' && !bets.has(row.reference)) {
    tombstones.add(nameBet(row, row.reference));
  }
  if (bet && row.kind === 'rollback' && row.result === 'rolled_back') bet.state = 'rolled_back';
  if (bet && row.kind === 'win' && !isRefused) bet.state = 'settled';
}
