// I6: a read shows a balance that the account had between request and answer, neither older nor newer.
import type { Attempt, Call, Read } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import type { Facts } from './facts.ts';
import { accountOf, fits, groupRows, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

/** A balance that the client saw: a position in the account's history, known or to be found. */
interface Sight {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly balance: bigint | undefined;
  /** The row of an acknowledged call. */
  readonly place?: number;
}

/** A balance of an account, and the earliest time at which it can have been valid. */
interface Moment {
  readonly balance: bigint;
  readonly sinceMs: number;
}

const beginning: Moment = { balance: 0n, sinceMs: Number.NEGATIVE_INFINITY };

export function checkReads(
  calls: readonly Call[],
  reads: readonly Read[],
  facts: Facts,
): Violation[] {
  const histories = listMoments(facts, listBeginnings(calls, facts));
  const sights = listSights(calls, reads, facts, histories.places);
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

/** The attempt that was answered as new wrote the row. */
const isFirst = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'acknowledged' && !answer.outcome.duplicate;

/** The successive balances of each account, and the position of each row among them. */
function listMoments(facts: Facts, beginnings: ReadonlyMap<bigint, number>) {
  const moments = new Map<bigint, Moment[]>();
  const places = new Map<bigint, number>();
  for (const row of facts.rows) {
    const { account, balance } = subjectOf(row);
    const history = moments.get(account) ?? [beginning];
    moments.set(account, history);
    const before = history.at(-1)?.sinceMs ?? beginning.sinceMs;
    const sinceMs = Math.max(before, beginnings.get(row.sequence) ?? before);
    history.push({ balance, sinceMs });
    places.set(row.sequence, history.length - 1);
  }
  return { moments, places };
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
    if (account === undefined || read.status !== 200) continue;
    const { sentAtMs, answeredAtMs, balanceMinor: balance } = read;
    add(account, { sentAtMs, answeredAtMs, balance });
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
 * An account may have the same balance twice, so a read gets the earliest possible position. If even that is
 * impossible, the read went back in time or showed a balance before it existed.
 */
function checkAccount(account: bigint, seen: Sight[], history: readonly Moment[]): Violation[] {
  const found: Violation[] = [];
  const report = (sight: Sight, flaw: string) =>
    found.push(violation('I6', `account ${account} was read as ${sight.balance}, which ${flaw}`));
  const asked = [...seen].sort((a, b) => a.sentAtMs - b.sentAtMs);
  const shown: { answeredAtMs: number; place: number }[] = [];
  let floor = 0;
  for (const sight of asked) {
    for (let i = shown.length - 1; i >= 0; i--) {
      const earlier = shown[i];
      if (!earlier || earlier.answeredAtMs >= sight.sentAtMs) continue;
      floor = Math.max(floor, earlier.place);
      shown.splice(i, 1);
    }
    const place = sight.place ?? findPlace(history, sight.balance, floor);
    const { sinceMs } = history[place] ?? beginning;
    if (place === -1) report(sight, 'is older than told, or never was');
    else if (sight.place === undefined && sinceMs > sight.answeredAtMs) {
      report(sight, 'was written only later');
    } else shown.push({ answeredAtMs: sight.answeredAtMs, place });
  }
  return found;
}

function findPlace(history: readonly Moment[], balance: bigint | undefined, floor: number): number {
  for (let place = floor; place < history.length; place++) {
    if (history[place]?.balance === balance) return place;
  }
  return -1;
}
