// Invariant I6: a read shows a balance that the account had between the request and its answer.
import type { Attempt, Call, Read } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import type { Facts } from './facts.ts';
import { accountOf, fits, groupRows, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

/** A balance that the client received. */
interface Sight {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly balance: bigint | undefined;
  /**
   * The position of the balance in the account's history. Undefined for a read, because the answer to a read
   * does not contain the position.
   */
  readonly position?: number;
}

/** A balance of an account, and the earliest time at which the account can have had this balance. */
interface Moment {
  readonly balance: bigint;
  readonly sinceMs: number;
}

const beginning: Moment = { balance: 0n, sinceMs: Number.NEGATIVE_INFINITY };

export function checkReads(calls: readonly Call[], reads: readonly Read[], facts: Facts): Violation[] {
  const histories = listMoments(facts, listBeginnings(calls, facts));
  const sights = listSights(calls, reads, facts, histories.positions);
  return [...sights].flatMap(([account, seen]) =>
    checkAccount(account, seen, histories.moments.get(account) ?? [beginning]),
  );
}

/** The earliest time at which each row can have been written, by sequence. */
function listBeginnings(calls: readonly Call[], facts: Facts): Map<bigint, number> {
  const rows = groupRows(facts);
  const beginnings = new Map<bigint, number>();
  for (const { order, attempts } of calls) {
    const row = rows.get(keyOf(order))?.find((each) => fits(facts, each, order));
    if (!row) continue;
    const writers = attempts.some(isFirst) ? attempts.filter(isFirst) : attempts;
    beginnings.set(row.sequence, Math.min(...writers.map(({ sentAtMs }) => sentAtMs)));
  }
  return beginnings;
}

/** Whether this attempt wrote the row. Only the attempt that writes the row is answered as new. */
const isFirst = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'acknowledged' && !answer.outcome.duplicate;

/** The successive balances of each account, and the position of each row among them. */
function listMoments(facts: Facts, beginnings: ReadonlyMap<bigint, number>) {
  const moments = new Map<bigint, Moment[]>();
  const positions = new Map<bigint, number>();
  for (const row of facts.rows) {
    const { account, balance } = subjectOf(row);
    const history = moments.get(account) ?? [beginning];
    moments.set(account, history);
    const before = history.at(-1)?.sinceMs ?? beginning.sinceMs;
    const sinceMs = Math.max(before, beginnings.get(row.sequence) ?? before);
    history.push({ balance, sinceMs });
    positions.set(row.sequence, history.length - 1);
  }
  return { moments, positions };
}

function listSights(
  calls: readonly Call[],
  reads: readonly Read[],
  facts: Facts,
  positions: ReadonlyMap<bigint, number>,
): Map<bigint, Sight[]> {
  const sights = new Map<bigint, Sight[]>();
  const add = (account: bigint, sight: Sight) => {
    const seen = sights.get(account);
    if (seen) seen.push(sight);
    else sights.set(account, [sight]);
  };
  for (const read of reads) {
    const account = facts.accounts.get(read.player);
    if (account === undefined || read.status !== 200) continue;
    const { sentAtMs, answeredAtMs, balanceMinor: balance } = read;
    add(account, { sentAtMs, answeredAtMs, balance });
  }
  const rows = groupRows(facts);
  for (const { order, attempts } of calls) {
    const row = rows.get(keyOf(order))?.find((each) => fits(facts, each, order));
    const position = row && positions.get(row.sequence);
    const account = accountOf(facts, order);
    if (!row || position === undefined || account === undefined) continue;
    const { balance } = subjectOf(row);
    for (const { sentAtMs, answeredAtMs, answer } of attempts) {
      if (answer?.outcome.kind !== 'acknowledged' || answeredAtMs === undefined) continue;
      add(account, { sentAtMs, answeredAtMs, balance, position });
    }
  }
  return sights;
}

/**
 * An account may have had the same balance more than once, so a read is assigned the earliest possible
 * position. If no position is possible, the read is a violation: it showed an older balance than an earlier
 * answer, or a balance that did not exist yet.
 */
function checkAccount(account: bigint, seen: Sight[], history: readonly Moment[]): Violation[] {
  const found: Violation[] = [];
  const report = (sight: Sight, flaw: string) =>
    found.push(violation('I6', `account ${account} was read as ${sight.balance}, which ${flaw}`));
  const asked = [...seen].sort((a, b) => a.sentAtMs - b.sentAtMs);
  const shown: { answeredAtMs: number; position: number }[] = [];
  let floor = 0;
  for (const sight of asked) {
    for (let i = shown.length - 1; i >= 0; i--) {
      const earlier = shown[i];
      if (!earlier || earlier.answeredAtMs >= sight.sentAtMs) continue;
      floor = Math.max(floor, earlier.position);
      shown.splice(i, 1);
    }
    const position = sight.position ?? findPosition(history, sight.balance, floor);
    const { sinceMs } = history[position] ?? beginning;
    if (position === -1) report(sight, 'is older than an earlier answer, or never existed');
    else if (sight.position === undefined && sinceMs > sight.answeredAtMs) {
      report(sight, 'was written only later');
    } else shown.push({ answeredAtMs: sight.answeredAtMs, position });
  }
  return found;
}

function findPosition(history: readonly Moment[], balance: bigint | undefined, floor: number): number {
  for (let position = floor; position < history.length; position++) {
    if (history[position]?.balance === balance) return position;
  }
  return -1;
}
