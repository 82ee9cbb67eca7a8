// Decides the game commands of a batch in their order. The batch is applied completely or not at all.
import type { BatchCommand, GameCommand } from './command.ts';
import { decide } from './decide.ts';
import type { BatchDecision, BatchOutcome, Decision, OpenRefusal, SingleOutcome } from './decision.ts';
import { type FinalRefusal, houseAccount, isFinalRefusal } from './movement.ts';
import { findKnownName, isKnown, listRecords, listUnseenNames } from './names.ts';
import { applyDecision, createOverlay, type LedgerView } from './state.ts';

type AppliedLeg = Extract<BatchOutcome, { kind: 'batch' }>['legs'][number];

/** A leg that an earlier command has stored gets the same answer again and changes nothing. */
export function decideBatch(view: LedgerView, command: BatchCommand): BatchDecision {
  const { legs, isOneTransaction, requestHash } = command;
  const request = requestHash === undefined ? undefined : { hash: requestHash, account: houseAccount };
  if (request && view.findBet(request) && legs.some(({ idHash }) => !view.findMovement(idHash))) {
    return withoutLegs({ kind: 'request_repeated' });
  }
  // Each leg must see the effects of the legs before it. So an overlay is needed only if there are several
  // legs.
  const overlay = legs.length > 1 ? createOverlay(view) : undefined;
  const exceedsStake = isAboveMaxStake(view, command);
  const stored: Decision[] = [];
  const applied: AppliedLeg[] = [];
  for (const [index, leg] of legs.entries()) {
    const known = findKnownName(overlay ?? view, leg);
    if (known !== undefined) return withoutLegs({ kind: 'name_known', leg: index, hash: known });
    const decision = decide(overlay ?? view, leg);
    const { outcome } = decision;
    if (outcome.kind === 'conflict') {
      return withoutLegs({ kind: 'leg_conflict', leg: index, field: outcome.field });
    }
    const isOverStake = exceedsStake && outcome.kind === 'stored' && stakeOf(leg) > 0n;
    const code = isOverStake ? 'bet_limit' : findRefusal(outcome);
    if (code !== undefined) {
      const { balance } = view.getAccount(leg.account);
      return withoutLegs({ kind: 'leg_refused', leg: index, code, balance });
    }
    const unseen = listUnseenNames(overlay ?? view, command, leg, decision);
    const original = unseen.find((hash) => isKnown(overlay ?? view, hash));
    if (original !== undefined) return withoutLegs({ kind: 'name_known', leg: index, hash: original });
    applied.push(outcome as AppliedLeg);
    if (decision.movements.length === 0) continue;
    for (const each of [decision, ...listRecords(leg, decision, unseen)]) {
      if (overlay) applyDecision(overlay, each);
      stored.push(each);
    }
  }
  const other = findOtherContent(view, command, { applied, isNew: stored.length > 0 });
  if (isOneTransaction && other >= 0) {
    return withoutLegs({ kind: 'leg_conflict', leg: other, field: 'amount' });
  }
  const latest = stored.at(-1);
  if (request && latest) {
    stored.push({ outcome: latest.outcome, movements: [], bet: { ...request, status: 'requested' } });
  }
  return { outcome: { kind: 'batch', legs: applied }, legs: stored };
}

const withoutLegs = (outcome: BatchOutcome): BatchDecision => ({ outcome, legs: [] });

/** The stake of a leg; 0 if the leg contains no bet. */
function stakeOf(leg: GameCommand): bigint {
  if (leg.type === 'bet') return leg.amount;
  return leg.type === 'bet_win' ? leg.betAmount : 0n;
}

/**
 * Whether the legs together stake more than the maximum. The maximum does not apply if a leg is stored
 * already, because the command is then a repeat or a conflict.
 */
function isAboveMaxStake(view: LedgerView, { legs, maxStake }: BatchCommand): boolean {
  if (maxStake === undefined || legs.some(({ idHash }) => view.findMovement(idHash))) return false;
  return legs.reduce((sum, leg) => sum + stakeOf(leg), 0n) > maxStake;
}

/**
 * Finds the first leg that is a repeat, if the stored transaction has other legs than this batch. Returns -1
 * if the stored legs are the same or if no leg is a repeat.
 */
function findOtherContent(
  view: LedgerView,
  { absentHashes = [] }: BatchCommand,
  { applied, isNew }: { applied: readonly AppliedLeg[]; isNew: boolean },
): number {
  const repeat = applied.findIndex(({ kind }) => kind === 'repeated');
  if (repeat < 0 || isNew) return repeat;
  return absentHashes.some((hash) => isKnown(view, hash)) ? repeat : -1;
}

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
