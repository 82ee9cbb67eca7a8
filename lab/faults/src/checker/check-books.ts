// Invariant I5: balances match the journal, sum to zero and stay in their limits; sequences have no gaps.
import { creditAccount, firstPlayerAccount } from '@counterfoil/wallet-server/ledger/rules/movement';
import type { Facts, JournalRow } from './facts.ts';
import { movesMoney } from './match.ts';
import { type Violation, violation } from './violation.ts';

export function checkBooks(facts: Facts): Violation[] {
  const found: Violation[] = [];
  const report = (detail: string) => found.push(violation('I5', detail));
  const balances = new Map<bigint, bigint>();
  let before = 0n;
  for (const row of facts.rows) {
    if (row.sequence !== before + 1n) report(`row ${row.sequence} follows row ${before}`);
    before = row.sequence;
    for (const flaw of replay(facts, balances, row)) report(`row ${row.sequence}: ${flaw}`);
  }
  if (facts.headSequence !== before) {
    report(`the last row is ${before}, but the head is at ${facts.headSequence}`);
  }
  let sum = 0n;
  for (const [account, balance] of facts.balances) {
    sum += balance;
    const wanted = balances.get(account) ?? 0n;
    if (balance !== wanted) report(`account ${account} has ${balance}, but its rows add up to ${wanted}`);
    if (isTooLow(facts, account, balance)) report(`account ${account} is below its minimum`);
  }
  for (const account of balances.keys()) {
    if (!facts.balances.has(account)) report(`account ${account} has rows, but no balance`);
  }
  if (sum !== 0n) report(`the accounts sum to ${sum}`);
  return found;
}

function replay(facts: Facts, balances: Map<bigint, bigint>, row: JournalRow): string[] {
  const moved = movesMoney(row.result) ? row.amount : 0n;
  const sides = [
    { account: row.debitAccount, stored: row.debitBalance, change: -moved },
    { account: row.creditAccount, stored: row.creditBalance, change: moved },
  ];
  return sides.flatMap(({ account, stored, change }) => {
    const wanted = (balances.get(account) ?? 0n) + change;
    // The replay continues from the stored balance, so that one wrong row is reported only once.
    balances.set(account, stored);
    const flaws: string[] = [];
    if (stored !== wanted) flaws.push(`account ${account} is stored with ${stored}, not ${wanted}`);
    if (isTooLow(facts, account, stored)) flaws.push(`account ${account} is below its minimum`);
    return flaws;
  });
}

const isTooLow = ({ overdraftLimit }: Facts, account: bigint, balance: bigint): boolean =>
  account >= firstPlayerAccount ? balance < 0n : account === creditAccount && balance < -overdraftLimit;
