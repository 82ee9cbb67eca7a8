// Invariant I8 for answers: if a refusal is not stored, another order must be the cause of the refusal.
import type { Attempt, Call, History, Read } from '../client/client-log.ts';
import { keyOf, type Order, type OrderKind } from '../client/order.ts';
import type { Facts, JournalRow } from './facts.ts';
import { accountOf, fits, groupRows, isStoredRefusal } from './match.ts';
import { type Violation, violation } from './violation.ts';

/** An order with its row in the journal. */
interface StoredCall extends Call {
  readonly row: JournalRow;
}

interface Sought {
  readonly facts: Facts;
  readonly history: History;
  /** Stored orders by order key. */
  readonly stored: ReadonlyMap<string, readonly StoredCall[]>;
  /** Stored orders by the id of the bet to which they refer. */
  readonly referring: ReadonlyMap<string, readonly StoredCall[]>;
}

type Timing = Pick<Attempt, 'sentAtMs' | 'answeredAtMs'>;

export function checkDeserved(history: History, facts: Facts): Violation[] {
  const sought = { facts, history, ...groupStored(history, facts) };
  const calls = history.calls.flatMap(({ order, attempts }) =>
    attempts.flatMap((attempt) => {
      const outcome = attempt.answer?.outcome;
      if (outcome?.kind !== 'refused' || outcome.final) return [];
      const { code } = outcome;
      if (causes[code]?.({ sought, order, timing: attempt })) return [];
      return [violation('I8', `${keyOf(order)} was refused as ${code} without a cause`)];
    }),
  );
  const reads = history.reads.filter((read) => isRefusedRead(sought, read));
  return [
    ...calls,
    ...reads.map(({ player, status }) =>
      violation('I8', `a read of ${player} was refused with ${status} without a cause`),
    ),
  ];
}

function groupStored({ calls }: History, facts: Facts): Pick<Sought, 'stored' | 'referring'> {
  const rows = groupRows(facts);
  const stored = new Map<string, StoredCall[]>();
  const referring = new Map<string, StoredCall[]>();
  const add = (map: Map<string, StoredCall[]>, name: string, each: StoredCall) => {
    const list = map.get(name);
    if (list) list.push(each);
    else map.set(name, [each]);
  };
  for (const call of calls) {
    const key = keyOf(call.order);
    const row = rows.get(key)?.find((each) => fits(facts, each, call.order));
    if (!row) continue;
    add(stored, key, { ...call, row });
    if (call.order.reference !== undefined) add(referring, call.order.reference, { ...call, row });
  }
  return { stored, referring };
}

interface Refusal {
  readonly sought: Sought;
  readonly order: Order;
  readonly timing: Timing;
}

/**
 * For each error code, a function that decides whether the refusal had a cause. Other codes are missing here,
 * because no order of the callers may be refused with them.
 */
const causes: Readonly<Record<string, (refusal: Refusal) => boolean>> = {
  transaction_conflict: ({ sought, order, timing }) =>
    (sought.stored.get(keyOf(order)) ?? []).some((each) => each.order !== order && wasSentBy(each, timing)),
  bet_not_found: (refusal) => refersToBet(refusal) && !wasSeen(refusal),
  bet_rolled_back: (refusal) =>
    (refusal.order.kind === 'bet' || refersToBet(refusal)) &&
    listReferring(refusal).some(({ row }) => ['rolled_back', 'tombstoned'].includes(row.result)),
  bet_refused: (refusal) =>
    refersToBet(refusal) && listAt(refusal, 'bet').some(({ row }) => isStoredRefusal(row.result)),
  bet_already_settled: (refusal) =>
    refusal.order.kind === 'rollback' &&
    listReferring(refusal).some(({ row }) => row.kind === 'win' && !isStoredRefusal(row.result)),
  not_a_bet: (refusal) => refusal.order.kind === 'rollback' && listAt(refusal, 'win').length > 0,
  player_not_found: ({ sought, order }) => accountOf(sought.facts, order) === undefined,
  request_timeout: ({ sought, timing }) => isExcused(sought.history, timing),
};

const refersToBet = ({ order }: Refusal) => order.kind === 'win' && order.reference !== undefined;

/**
 * Stored orders that may have caused the refusal, because they refer to the same bet as the refused order. If
 * the refused order has no reference, the bet is the refused order itself.
 */
const listReferring = (refusal: Refusal): StoredCall[] =>
  (refusal.sought.referring.get(refusal.order.reference ?? refusal.order.id) ?? []).filter((each) =>
    isCause(refusal, each),
  );

/**
 * Stored orders of this kind that have the id to which the refused order refers, and may have caused the
 * refusal.
 */
function listAt(refusal: Refusal, kind: OrderKind): StoredCall[] {
  const key = keyOf({ ...refusal.order, kind, id: refusal.order.reference ?? '' });
  return (refusal.sought.stored.get(key) ?? []).filter((each) => isCause(refusal, each));
}

/**
 * Whether an order may have caused the refusal: it is from the same player and was sent before the refusal
 * arrived.
 */
const isCause = ({ sought: { facts }, order, timing }: Refusal, cause: StoredCall): boolean =>
  accountOf(facts, cause.order) === accountOf(facts, order) && wasSentBy(cause, timing);

const wasSentBy = ({ attempts }: Call, { answeredAtMs = Infinity }: Timing): boolean =>
  attempts.some(({ sentAtMs }) => sentAtMs <= answeredAtMs);

/** Whether a caller knew from an answer that the bet was stored, when the refused call was sent. */
const wasSeen = (refusal: Refusal): boolean =>
  listAt(refusal, 'bet').some(({ attempts }) =>
    attempts.some((each) => isStored(each) && (each.answeredAtMs ?? Infinity) < refusal.timing.sentAtMs),
  );

const isStored = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'acknowledged' || (answer?.outcome.kind === 'refused' && answer.outcome.final);

const isRefusedRead = (sought: Sought, { player, status = 0, ...timing }: Read): boolean =>
  status >= 400 &&
  status < 500 &&
  sought.facts.accounts.has(player) &&
  !(status === 408 && isExcused(sought.history, timing));

/** A process that was stopped by a signal may answer 408 to requests that it received before the signal. */
const isExcused = ({ excuses }: History, { sentAtMs, answeredAtMs = Infinity }: Timing): boolean =>
  excuses.some(({ fromMs, toMs }) => fromMs <= answeredAtMs && sentAtMs <= toMs);
