// Invariant I4: an order with an unknown outcome is repeated twice, and both repeats get the same definite
// answer.
import type { Attempt, Call } from '../client/client-log.ts';
import { isDefinite, keyOf, type Outcome } from '../client/order.ts';
import { type Violation, violation } from './violation.ts';

/** Refusals whose cause can end. For example, a repeat is accepted once the missing bet has arrived. */
const passing = new Set(['bet_not_found', 'transaction_not_found']);

export function checkUnknowns(calls: readonly Call[]): Violation[] {
  return calls.flatMap(({ order, attempts }) => {
    const key = keyOf(order);
    const outcomes = attempts.map(({ answer }) => answer?.outcome);
    const found: Violation[] = [];
    if (outcomes.some((outcome) => outcome === undefined || outcome.kind === 'unknown')) {
      const last = outcomes.slice(-2);
      if (last.length < 2 || !last.every((outcome) => outcome && isDefinite(outcome))) {
        found.push(violation('I4', `${key} has an unknown outcome that was not resolved twice`));
      }
    }
    const words = new Set(outcomes.flatMap((outcome) => (outcome ? describeOutcome(outcome) : [])));
    if (words.size > 1) {
      found.push(violation('I4', `${key} was answered differently: ${[...words].join('; ')}`));
    }
    const settledAt = Math.min(...attempts.filter(isSettling).map(answeredAt));
    if (attempts.some((each) => isPassing(each) && each.sentAtMs > settledAt)) {
      found.push(violation('I4', `${key} was answered as unknown to the service after it had been answered`));
    }
    return found;
  });
}

/**
 * Returns a list with the part of an answer that must be equal in every repeat; only `duplicate` may differ.
 * The list is empty if the answer does not state the outcome, or if the cause of its refusal can end.
 */
function describeOutcome(outcome: Outcome): string[] {
  if (outcome.kind === 'acknowledged') {
    return [`acknowledged ${outcome.result ?? ''} with ${outcome.balanceMinor}`];
  }
  if (outcome.kind === 'refused' && !passing.has(outcome.code)) return [`refused ${outcome.code}`];
  return [];
}

const answeredAt = ({ answeredAtMs = Infinity }: Attempt): number => answeredAtMs;

/**
 * Whether the answer states the outcome. After an answer that states the outcome, all later answers must be
 * equal.
 */
const isSettling = ({ answer }: Attempt): boolean => !!answer && describeOutcome(answer.outcome).length > 0;

const isPassing = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'refused' && passing.has(answer.outcome.code);
