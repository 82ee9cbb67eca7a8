// I6: a read shows nothing older than what anyone was told before it was asked.
import type { Call, Read } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import type { Facts } from './facts.ts';
import { accountOf, fits, groupRows, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

/** Something that the client saw of an account: a place in its history, known or to be found. */
interface Sight {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly balance: bigint;
  /** Of an acknowledged call, whose row is known. */
  readonly place?: number;
}

export function checkReads(
  calls: readonly Call[],
  reads: readonly Read[],
  facts: Facts,
): Violation[] {
  const histories = listBalances(facts);
  const sights = listSights(calls, reads, facts, histories.places);
  return [...sights].flatMap(([account, seen]) =>
    checkAccount(account, seen, histories.balances.get(account) ?? [0n]),
  );
}

/** The balances that each account had, one after the other, and the place of each row in them. */
function listBalances(facts: Facts) {
  const balances = new Map<bigint, bigint[]>();
  const places = new Map<bigint, number>();
  for (const row of facts.rows) {
    const { account, balance } = subjectOf(row);
    const history = balances.get(account) ?? [0n];
    balances.set(account, history);
    history.push(balance);
    places.set(row.sequence, history.length - 1);
  }
  return { balances, places };
}

function listSights(
  calls: readonly Call[],
  reads: readonly Read[],
  facts: Facts,
  places: ReadonlyMap<bigint, number>,
): Map<bigint, Sight[]> {
  const sights = new Map<bigint, Sight[]>();
  const add = (account: bigint, sight: Sight) => {
    const seen = sights.get(account);
    if (seen) seen.push(sight);
    else sights.set(account, [sight]);
  };
  for (const read of reads) {
    const account = facts.accounts.get(read.player);
    if (account !== undefined) add(account, { ...read, balance: read.balanceMinor });
  }
  const rows = groupRows(facts);
  for (const { order, attempts } of calls) {
    const row = rows.get(keyOf(order))?.find((each) => fits(facts, each, order));
    const place = row && places.get(row.sequence);
    const account = accountOf(facts, order);
    if (!row || place === undefined || account === undefined) continue;
    const { balance } = subjectOf(row);
    for (const { sentAtMs, answeredAtMs, answer } of attempts) {
      if (answer?.outcome.kind !== 'acknowledged' || answeredAtMs === undefined) continue;
      add(account, { sentAtMs, answeredAtMs, balance, place });
    }
  }
  return sights;
}

/**
 * A balance may come back to a value that it had before, so a read is given the earliest place that
 * it can have: if even that is impossible, it went back.
 */
function checkAccount(account: bigint, seen: Sight[], history: readonly bigint[]): Violation[] {
  const found: Violation[] = [];
  const asked = [...seen].sort((a, b) => a.sentAtMs - b.sentAtMs);
  const told: { answeredAtMs: number; place: number }[] = [];
  let floor = 0;
  for (const sight of asked) {
    for (let i = told.length - 1; i >= 0; i--) {
      const earlier = told[i];
      if (!earlier || earlier.answeredAtMs >= sight.sentAtMs) continue;
      floor = Math.max(floor, earlier.place);
      told.splice(i, 1);
    }
    const place = sight.place ?? history.indexOf(sight.balance, floor);
    if (place === -1) {
      const detail = `account ${account} was read as ${sight.balance}, which is older than told`;
      found.push(violation('I6', detail));
    } else told.push({ answeredAtMs: sight.answeredAtMs, place });
  }
  return found;
}
