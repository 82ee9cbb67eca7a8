// Drafts the journal row of a decision, with the new balances and the links to earlier rows.
import type { Decision, OpenRefusal } from './decision.ts';
import { firstPlayerAccount, type Kind, type Movement, movesMoney, type Result } from './movement.ts';
import type { LedgerView } from './state.ts';

interface Draft {
  readonly kind: Kind;
  readonly result: Result;
  readonly debitAccount: bigint;
  readonly creditAccount: bigint;
  readonly amount: bigint;
  readonly idHash: string;
  readonly transactionId: string;
  readonly noteHash?: string | undefined;
  readonly referenceHash?: string | undefined;
  readonly roundHash?: string | undefined;
  readonly roundPrevious?: bigint | undefined;
  readonly gameId?: string | undefined;
  readonly shortfall?: bigint | undefined;
}

/** The part of the ledger that a new row depends on. */
export type DraftView = Pick<LedgerView, 'packageId' | 'nextSequence' | 'nowMs' | 'getAccount'>;

export function draftMovement(view: DraftView, draft: Draft): Movement {
  const debit = view.getAccount(draft.debitAccount);
  const credit = view.getAccount(draft.creditAccount);
  const moved = movesMoney(draft.result) ? draft.amount : 0n;
  return {
    packageId: view.packageId,
    sequence: view.nextSequence,
    previousSequence: findPrevious(view, draft),
    kind: draft.kind,
    result: draft.result,
    debitAccount: draft.debitAccount,
    creditAccount: draft.creditAccount,
    amount: draft.amount,
    debitBalance: debit.balance - moved,
    creditBalance: credit.balance + moved,
    idHash: draft.idHash,
    transactionId: draft.transactionId,
    createdAtMs: view.nowMs,
    noteHash: draft.noteHash,
    referenceHash: draft.referenceHash,
    roundHash: draft.roundHash,
    roundPrevious: draft.roundPrevious,
    gameId: draft.gameId,
    shortfall: draft.shortfall,
  };
}

function findPrevious(view: DraftView, draft: Draft): bigint {
  const player = [draft.debitAccount, draft.creditAccount].find((id) => id >= firstPlayerAccount);
  return player === undefined ? 0n : view.getAccount(player).lastSequence;
}

/**
 * The decision to store one movement. This code runs for every movement. Each property is written out,
 * because an object spread would cost microseconds on Node 20.
 */
export const stored = (
  movement: Movement,
  games: { bet?: Decision['bet']; rounds?: Decision['rounds'] } = {},
): Decision => ({
  outcome: { kind: 'stored', movement },
  movements: [movement],
  bet: games.bet,
  rounds: games.rounds,
});

export const repeated = (movement: Movement): Decision => ({
  outcome: { kind: 'repeated', movement },
  movements: [],
});

export const conflict = (field: string): Decision => ({
  outcome: { kind: 'conflict', field },
  movements: [],
});

export const refused = (code: OpenRefusal, balance: bigint): Decision => ({
  outcome: { kind: 'refused', code, balance },
  movements: [],
});
