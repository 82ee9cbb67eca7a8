// A correct history passes the checker, and each check finds its kind of violation.
import { describe, expect, it } from 'vitest';
import type { Attempt, Call, Excuse, Read } from '../client/client-log.ts';
import type { Order, Outcome } from '../client/order.ts';
import { checkAcknowledged, checkNothingUnsent } from './check-acknowledged.ts';
import { checkBooks } from './check-books.ts';
import { checkAnswers, checkDeadlines, checkReturned } from './check-deadlines.ts';
import { checkReads } from './check-reads.ts';
import { checkRefused } from './check-refused.ts';
import { checkHistory } from './check-test-run.ts';
import { checkUnknowns } from './check-unknowns.ts';
import type { Facts, JournalRow } from './facts.ts';

const ann = 1001n;
const credit = (id: string, amountMinor: bigint): Order => ({
  packageId: 7,
  kind: 'credit',
  id,
  player: 'ann',
  amountMinor,
});

const rowOf = (sequence: bigint, id: string, amount: bigint, balance: bigint): JournalRow => ({
  sequence,
  kind: 'credit',
  result: 'applied',
  id,
  amount,
  debitAccount: 1n,
  debitBalance: -balance,
  creditAccount: ann,
  creditBalance: balance,
});

const refusedRow = (sequence: bigint, id: string, amount: bigint, balance: bigint): JournalRow => ({
  sequence,
  kind: 'debit',
  result: 'insufficient_funds',
  id,
  amount,
  debitAccount: ann,
  debitBalance: balance,
  creditAccount: 1n,
  creditBalance: -balance,
});

function factsOf(rows: JournalRow[], changed: Partial<Facts> = {}): Facts {
  const last = rows.at(-1);
  const balance = last?.creditAccount === ann ? last.creditBalance : (last?.debitBalance ?? 0n);
  return {
    packageId: 7,
    rows,
    balances: new Map([
      [1n, -balance],
      [ann, balance],
    ]),
    accounts: new Map([['ann', ann]]),
    headSequence: BigInt(rows.length),
    overdraftLimit: 1_000_000n,
    ...changed,
  };
}

const acknowledged = (balanceMinor: bigint, duplicate = false): Outcome => ({
  kind: 'acknowledged',
  balanceMinor,
  duplicate,
});
const unknown: Outcome = { kind: 'unknown', reason: 'ECONNRESET' };
const broke: Outcome = { kind: 'refused', code: 'insufficient_funds', final: true };

let clock = 0;
const attemptOf = (outcome: Outcome): Attempt => {
  const sentAtMs = clock++;
  return { sentAtMs, answeredAtMs: clock++, answer: { outcome } };
};
const callOf = (order: Order, ...outcomes: Outcome[]): Call => ({
  order,
  attempts: outcomes.map(attemptOf),
});

const rows = [rowOf(1n, 'a', 500n, 500n), rowOf(2n, 'b', 20n, 520n)];
const facts = factsOf(rows);
const details = (found: readonly { detail: string }[]) => found.map(({ detail }) => detail);

it('the checker finds no violation in a history that matches the books', () => {
  const debit: Order = { ...credit('c', 900n), kind: 'debit' };
  const calls = [
    callOf(credit('a', 500n), acknowledged(500n)),
    callOf(credit('b', 20n), unknown, acknowledged(520n), acknowledged(520n, true)),
    callOf(debit, broke),
  ];
  const reads: Read[] = [
    {
      packageId: 7,
      player: 'ann',
      sentAtMs: clock++,
      answeredAtMs: clock++,
      status: 200,
      balanceMinor: 520n,
    },
  ];
  const whole = factsOf([...rows, refusedRow(3n, 'c', 900n, 520n)]);
  expect(checkHistory({ calls, reads, excuses: [] }, whole)).toEqual([]);
});

describe('the check that acknowledged orders are stored once (I1)', () => {
  it('the check finds an acknowledged order that is not stored', () => {
    const calls = [callOf(credit('x', 5n), acknowledged(5n))];
    expect(details(checkAcknowledged(calls, facts))).toEqual([
      '7 caller x was acknowledged but is not stored',
    ]);
  });

  it('the check finds an order that is stored twice', () => {
    const doubled = factsOf([...rows, rowOf(3n, 'b', 20n, 540n)]);
    const found = checkAcknowledged([callOf(credit('b', 20n), acknowledged(520n))], doubled);
    expect(details(found)).toEqual(['7 caller b is stored 2 times']);
  });

  it('the check finds an amount that differs from the order', () => {
    const calls = [callOf(credit('b', 21n), acknowledged(520n))];
    expect(checkAcknowledged(calls, facts)).toHaveLength(1);
  });

  it('the check finds an answer whose balance is inexact or differs from the stored row', () => {
    const inexact: Outcome = { kind: 'acknowledged', duplicate: false };
    for (const outcome of [acknowledged(521n), inexact]) {
      expect(checkAcknowledged([callOf(credit('b', 20n), outcome)], facts)).toHaveLength(1);
    }
  });

  it('the checker finds two attempts of one order that were both answered as new', () => {
    const calls = [callOf(credit('b', 20n), acknowledged(520n), acknowledged(520n))];
    expect(details(checkAcknowledged(calls, facts))).toEqual(['7 caller b was answered as new 2 times']);
  });
});

describe('the check that every stored order was sent (I2)', () => {
  it('the check finds a row without an order, and a row whose amount differs from its order', () => {
    const calls = [callOf(credit('a', 501n), unknown)];
    expect(details(checkNothingUnsent(calls, facts))).toEqual([
      '7 caller a is stored as credit of 500, not as sent',
      '7 caller b is stored but was never sent',
    ]);
  });
});

describe('the check that refused orders stay refused (I3)', () => {
  it('the checker finds a final refusal that is not stored, and a refused order that was applied', () => {
    const gone = callOf(credit('x', 5n), broke);
    const applied = callOf(credit('b', 20n), broke);
    expect(checkRefused([gone], facts)).toHaveLength(1);
    expect(details(checkRefused([applied], facts))).toContain(
      '7 caller b was refused as insufficient_funds, but is stored as applied',
    );
  });

  it('the checker finds a stored movement of an order that every answer reported as not applied', () => {
    const away: Outcome = { kind: 'turned_away', code: 'overloaded' };
    expect(checkRefused([callOf(credit('b', 20n), away, away)], facts)).toHaveLength(1);
    expect(checkRefused([callOf(credit('b', 20n), unknown, away)], facts)).toEqual([]);
  });
});

describe('the check that unknown outcomes are resolved (I4)', () => {
  it('the check finds an order with an unknown outcome and fewer than two definite answers', () => {
    const calls = [callOf(credit('a', 500n), unknown), callOf(credit('b', 20n), unknown, acknowledged(520n))];
    expect(checkUnknowns(calls)).toHaveLength(2);
  });

  it('the checker finds two different answers to one id', () => {
    const calls = [callOf(credit('a', 500n), acknowledged(500n), acknowledged(600n, true))];
    expect(checkUnknowns(calls)).toHaveLength(1);
    expect(checkUnknowns([callOf(credit('a', 500n), acknowledged(500n), broke)])).toHaveLength(1);
  });
});

describe('the check that the books are consistent (I5)', () => {
  it('the check finds a gap in the sequence numbers, and a journal head with a wrong sequence number', () => {
    const gap = factsOf([rows[0] as JournalRow, rowOf(3n, 'b', 20n, 520n)], { headSequence: 3n });
    expect(details(checkBooks(gap))).toEqual(['row 3 follows row 1']);
    expect(checkBooks({ ...facts, headSequence: 1n })).toHaveLength(1);
  });

  it('the check finds a balance in the journal or the accounts that is not the sum of the rows', () => {
    const drifted = factsOf([rows[0] as JournalRow, rowOf(2n, 'b', 20n, 519n)]);
    expect(checkBooks(drifted)).toHaveLength(2);
    const balances = new Map([
      [1n, -520n],
      [ann, 521n],
    ]);
    expect(details(checkBooks({ ...facts, balances }))).toEqual([
      `account ${ann} has 521, but its rows add up to 520`,
      'the accounts sum to 1',
    ]);
  });

  it('the check finds a negative balance of a player', () => {
    const below = factsOf([rowOf(1n, 'a', 0n, 0n), { ...refusedRow(2n, 'd', 5n, -5n), result: 'applied' }]);
    expect(details(checkBooks(below))).toContain(`row 2: account ${ann} is below its minimum`);
  });
});

describe('the check that reads are current (I6)', () => {
  const call = callOf(credit('b', 20n), acknowledged(520n));
  const readOf = (sentAtMs: number, balanceMinor: bigint): Read => ({
    packageId: 7,
    player: 'ann',
    sentAtMs,
    answeredAtMs: sentAtMs + 1,
    status: 200,
    balanceMinor,
  });

  it('the checker finds a read that shows an older balance than an earlier answer', () => {
    expect(checkReads([call], [readOf(clock + 10, 500n)], facts)).toHaveLength(1);
    expect(checkReads([call], [readOf(clock + 10, 520n)], facts)).toEqual([]);
  });

  it('the checker accepts the old balance in a read that was sent at the same time as the order', () => {
    const [{ sentAtMs = 0 } = {}] = call.attempts;
    expect(checkReads([call], [readOf(sentAtMs, 500n)], facts)).toEqual([]);
  });

  it('the checker finds a read that shows an older balance than an earlier read', () => {
    const found = checkReads([], [readOf(clock + 10, 520n), readOf(clock + 20, 500n)], facts);
    expect(found).toHaveLength(1);
  });

  it('the checker finds a balance that the account never had', () => {
    expect(checkReads([], [readOf(clock + 10, 510n)], facts)).toHaveLength(1);
  });
});

describe('the check of deadlines and resources (I7)', () => {
  const slow: Call = {
    order: credit('a', 500n),
    attempts: [{ sentAtMs: 0, answeredAtMs: 4000, answer: { outcome: acknowledged(500n) } }],
  };

  it('the checker finds a call that exceeded its deadline, not counting excused periods', () => {
    const check = (...excuses: Excuse[]) => checkDeadlines({ calls: [slow], reads: [], excuses });
    expect(check()).toHaveLength(1);
    expect(check({ fromMs: 500, toMs: 2000 })).toEqual([]);
    expect(check({ fromMs: 3900, toMs: 9000 })).toHaveLength(1);
  });

  it('the check finds a call whose answer is missing in the log', () => {
    const calls = [{ ...slow, attempts: [{ sentAtMs: 0 }] }];
    expect(checkDeadlines({ calls, reads: [], excuses: [] })).toHaveLength(1);
  });

  it('the check finds memory, open files and database sessions that are not released', () => {
    const before = { residentMiB: 100, openFiles: 40, busySessions: 0 };
    const after = { residentMiB: 900, openFiles: 400, busySessions: 1 };
    expect(checkReturned(before, before)).toEqual([]);
    expect(checkReturned(before, after)).toHaveLength(3);
  });
});

it('the checker finds a 500, finds a 503 without Retry-After, and accepts a 503 with Retry-After', () => {
  const away: Outcome = { kind: 'turned_away', code: 'unavailable' };
  const answered = (status: number, retryAfter?: boolean): Call => ({
    order: credit('a', 1n),
    attempts: [
      {
        sentAtMs: 0,
        answeredAtMs: 1,
        answer: { outcome: away, status, ...(retryAfter !== undefined && { retryAfter }) },
      },
    ],
  });
  const check = (...calls: Call[]) => checkAnswers({ calls, reads: [] });
  expect(check(answered(503, false), answered(500))).toHaveLength(2);
  expect(check(answered(503, true), answered(422))).toEqual([]);
});
