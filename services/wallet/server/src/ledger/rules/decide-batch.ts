// Decides the game commands of a batch in their order. The batch is applied completely or not at all.
import type { BatchCommand } from './command.ts';
import { decide } from './decide.ts';
import type { BatchDecision, BatchOutcome, Decision, OpenRefusal, SingleOutcome } from './decision.ts';
import { type FinalRefusal, isFinalRefusal } from './movement.ts';
import { applyDecision, createOverlay, type LedgerView } from './state.ts';

type AppliedLeg = Extract<BatchOutcome, { kind: 'batch' }>['legs'][number];

/** A leg that an earlier command has stored gets the same answer again and changes nothing. */
export function decideBatch(view: LedgerView, { legs, isOneTransaction }: BatchCommand): BatchDecision {
  // Most batches have one leg, which needs no overlay.
  const overlay = legs.length > 1 ? createOverlay(view) : undefined;
  const stored: Decision[] = [];
  const applied: AppliedLeg[] = [];
  for (const [leg, command] of legs.entries()) {
    const decision = decide(overlay ?? view, command);
    const { outcome } = decision;
    if (outcome.kind === 'conflict') {
      return { outcome: { kind: 'leg_conflict', leg, field: outcome.field }, legs: [] };
    }
    const code = findRefusal(outcome);
    if (code !== undefined) {
      const { balance } = view.getAccount(command.account);
      return { outcome: { kind: 'leg_refused', leg, code, balance }, legs: [] };
    }
    applied.push(outcome as AppliedLeg);
    if (decision.movements.length === 0) continue;
    if (overlay) applyDecision(overlay, decision);
    stored.push(decision);
  }
  const mixed = isOneTransaction && stored.length > 0 ? findRepeat(applied) : -1;
  if (mixed >= 0) return { outcome: { kind: 'leg_conflict', leg: mixed, field: 'amount' }, legs: [] };
  return { outcome: { kind: 'batch', legs: applied }, legs: stored };
}

const findRepeat = (legs: readonly AppliedLeg[]): number => legs.findIndex(({ kind }) => kind === 'repeated');

/**
 * The code with which a leg is refused. A batch stores no refusal, so even a leg that lacks funds may succeed
 * later.
 */
function findRefusal(
  outcome: Exclude<SingleOutcome, { kind: 'conflict' }>,
): OpenRefusal | FinalRefusal | undefined {
  if (outcome.kind === 'refused') return outcome.code;
  const { result } = outcome.movement;
  return isFinalRefusal(result) ? result : undefined;
}
