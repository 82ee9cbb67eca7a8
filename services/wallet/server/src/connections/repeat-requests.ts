// For dialects in which each request has an id: if a request was refused, a repeat of the request gets the
// first refusal.
import type { RefusalStore } from '../ledger/refused-requests.ts';
import type { CallResult, FailureCode, PlayCall } from './dialects/dialect.ts';

type Failed = Extract<CallResult, { kind: 'failed' }>;

/**
 * After these failures, a repeat of the request is decided again. The first four are failures of the wallet
 * itself. The other two concern wins: a win may arrive before its bet, or while the player's balance is at
 * its limit. If these refusals were repeated, the player would lose the win.
 */
const decidedAgain: ReadonlySet<FailureCode> = new Set([
  ...(['internal_error', 'overloaded', 'unavailable', 'outcome_unknown'] as const),
  ...(['bet_not_found', 'balance_limit'] as const),
]);

interface Request {
  readonly packageId: number;
  readonly requestHash: string;
  readonly playerId: string;
}

/**
 * Returns the first refusal of the request, or undefined if the request was not refused. If the first request
 * was for a different player, the result is a conflict, so that the answer does not show that player's
 * balance.
 */
export async function findFirstRefusal(
  refusals: RefusalStore,
  { packageId, requestHash, playerId }: Request,
): Promise<Failed | undefined> {
  const first = await refusals.find(packageId, requestHash);
  if (!first) return undefined;
  const repeated = { kind: 'failed', isRepeated: true } as const;
  if (first.playerId !== playerId) {
    return { ...repeated, code: 'transaction_conflict', leg: 0, field: 'player_id' };
  }
  const { code, balance } = first;
  const balances = balance === undefined ? undefined : { cash: balance, promo: 0n };
  return { ...repeated, code: code as FailureCode, ...(balances && { balances }) };
}

/**
 * Carries the call out and stores a refusal. If the request was refused before, returns the first refusal. An
 * accepted call with new legs needs no look-up, because the ledger has checked that the request is new.
 */
export async function repeatRefusal(
  refusals: RefusalStore,
  { packageId, hashRequest, call }: { packageId: number; hashRequest: () => string; call: PlayCall },
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  const result = await run();
  const { playerId = call.playerId } = result;
  if (result.kind === 'played' ? result.legs.some((leg) => !leg.isRepeated) : result.kind !== 'failed') {
    return result;
  }
  const requestHash = hashRequest();
  if (result.kind === 'failed') {
    const { code, balances, isRepeated = false } = result;
    if (isRepeated || decidedAgain.has(code)) return result;
    if (await refusals.add(packageId, { requestHash, playerId, code, balance: balances?.cash }))
      return result;
  }
  const first = await findFirstRefusal(refusals, { packageId, requestHash, playerId });
  if (first) return result.playerId === undefined ? first : { ...first, playerId };
  // Another attempt of this request was accepted in the meantime. If this attempt is submitted again, the
  // ledger answers it as a repeat.
  return result.kind === 'failed' ? run() : result;
}
