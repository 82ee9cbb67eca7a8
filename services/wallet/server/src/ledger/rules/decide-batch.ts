// Decides the game commands of a batch in their order. The batch is applied completely or not at all.
import type { BatchCommand } from './command.ts';
import { decide } from './decide.ts';
import type { BatchDecision, BatchOutcome, Decision, OpenRefusal, SingleOutcome } from './decision.ts';
import { type FinalRefusal, houseAccount, isFinalRefusal } from './movement.ts';
import { applyDecision, createOverlay, type LedgerView } from './state.ts';

type AppliedLeg = Extract<BatchOutcome, { kind: 'batch' }>['legs'][number];

/** A leg that an earlier command has stored gets the same answer again and changes nothing. */
export function decideBatch(view: LedgerView, command: BatchCommand): BatchDecision {
  const { legs, isOneTransaction, requestHash } = command;
  const request = requestHash === undefined ? undefined : { hash: requestHash, account: houseAccount };
  if (request && view.findBet(request) && legs.some(({ idHash }) => !view.findMovement(idHash))) {
    return { outcome: { kind: 'request_repeated' }, legs: [] };
  }
  // An overlay is only needed for several legs, because each leg must see the effects of the legs before it.
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
  const [latest] = stored.slice(-1);
  if (request && latest) {
    stored.push({ outcome: latest.outcome, movements: [], bet: { ...request, status: 'requested' } });
  }
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
