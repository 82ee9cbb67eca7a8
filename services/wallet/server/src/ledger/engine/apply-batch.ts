// Folds `decide` over the orders of a batch, package by package, in the order in which they came.

import { chainMovement } from '../rules/chain.ts';
import { isGameCommand } from '../rules/command.ts';
import { decide } from '../rules/decide.ts';
import type { Decision, Outcome } from '../rules/decision.ts';
import { creditAccount } from '../rules/movement.ts';
import {
  type Assumed,
  betKey,
  createAssumed,
  createState,
  fold,
  type LedgerState,
  roundKey,
} from '../rules/state.ts';
import type { PackageEffects } from '../store/batch-columns.ts';
import type { Loaded, Order } from './load-batch.ts';
import type { LedgerMemory, PackageMemory } from './memory.ts';

/** What one order is answered, with the package's credit right after it. */
export interface Receipt {
  readonly outcome: Outcome;
  readonly credit: bigint;
}

export interface FoldedBatch {
  /** Packages that have something to write, in the order of their ids. */
  readonly effects: PackageEffects[];
  /** Parallel to the orders; undefined where the account is not there any more. */
  readonly receipts: (Receipt | undefined)[];
  /** False where a decision took an id for absent that the write will not look for. */
  readonly provable: boolean;
}

interface Draft {
  readonly memory: PackageMemory;
  readonly state: LedgerState;
  readonly rows: { movement: Decision['movements'][number]; hash: Buffer; note: string }[];
  readonly bets: Map<string, NonNullable<Decision['bet']> & { sequence: bigint }>;
  readonly rounds: Map<string, NonNullable<Decision['rounds']>[number]>;
  /** Absent where everything that games depend on was read. */
  readonly assumed: Assumed | undefined;
  hash: Buffer;
}

export function foldBatch(
  memory: LedgerMemory,
  orders: readonly Order[],
  loaded: Loaded,
  nowMs: number,
): FoldedBatch {
  const drafts = new Map<number, Draft>();
  const receipts: (Receipt | undefined)[] = [];
  for (const order of orders) {
    const draft = drafts.get(order.packageId) ?? openDraft(memory, order, loaded, nowMs);
    if (!draft) {
      receipts.push(undefined);
      continue;
    }
    drafts.set(order.packageId, draft);
    receipts.push(decideOrder(memory, draft, order));
  }
  const effects = [...drafts.values()].filter((draft) => draft.rows.length > 0).map(toEffects);
  effects.sort((a, b) => a.packageId - b.packageId);
  return { effects, receipts, provable: [...drafts.values()].every(isProvable) };
}

/** What the batch writes is looked for by the write itself. */
function isProvable({ assumed, state }: Draft): boolean {
  for (const id of assumed?.ids ?? []) if (!state.movements.has(id)) return false;
  return true;
}

function openDraft(
  memory: LedgerMemory,
  order: Order,
  loaded: Loaded,
  nowMs: number,
): Draft | undefined {
  const known = memory.packages.get(order.packageId);
  if (!known) return undefined;
  const state = createState({
    packageId: order.packageId,
    overdraftLimit: order.overdraftLimit,
    sequence: known.sequence,
    nowMs,
    games: known.games,
  });
  for (const id of [1n, 2n, 3n]) copyAccount(known, state, id);
  for (const [key, value] of loaded.movements.get(order.packageId) ?? [])
    state.movements.set(key, value);
  for (const [key, value] of loaded.bets.get(order.packageId) ?? []) state.bets.set(key, value);
  for (const [key, value] of loaded.rounds.get(order.packageId) ?? []) state.rounds.set(key, value);
  const assumed = loaded.games ? undefined : createAssumed();
  const { hash } = known;
  return { memory: known, state, rows: [], bets: new Map(), rounds: new Map(), assumed, hash };
}

function copyAccount(known: PackageMemory, state: LedgerState, id: bigint): boolean {
  const account = known.accounts.get(id);
  if (account) state.accounts.set(id, account);
  return account !== undefined;
}

function decideOrder(memory: LedgerMemory, draft: Draft, order: Order): Receipt | undefined {
  const { command } = order;
  const { state } = draft;
  if ('account' in command && !state.accounts.has(command.account)) {
    if (!copyAccount(draft.memory, state, command.account)) return undefined;
  }
  const isGame = isGameCommand(command);
  state.assumed = isGame ? draft.assumed : undefined;
  if (!isGame && !state.movements.has(command.idHash)) {
    const { idHash, transactionId } = command;
    const seen = memory.findMovement({ packageId: order.packageId, idHash, transactionId });
    if (seen) state.movements.set(command.idHash, seen);
  }
  state.overdraftLimit = order.overdraftLimit;
  const decision = decide(state, command);
  for (const movement of decision.movements) {
    draft.hash = chainMovement(draft.hash, movement);
    draft.rows.push({ movement, hash: draft.hash, note: 'note' in command ? command.note : '' });
  }
  fold(state, decision);
  if (decision.bet) {
    const { hash, account, fate } = decision.bet;
    draft.bets.set(betKey(decision.bet), { hash, account, fate, sequence: state.sequence });
  }
  for (const round of decision.rounds ?? []) draft.rounds.set(roundKey(round), round);
  return { outcome: decision.outcome, credit: state.getAccount(creditAccount).balance };
}

function toEffects(draft: Draft): PackageEffects {
  const { state, memory } = draft;
  const accounts = new Map(
    [...state.accounts].filter(([, account]) => account.lastSequence > memory.sequence),
  );
  return {
    packageId: state.packageId,
    expectedSequence: memory.sequence,
    expectedHash: memory.hash,
    sequence: state.sequence,
    hash: draft.hash,
    rows: draft.rows,
    accounts,
    bets: draft.bets,
    rounds: draft.rounds,
    assumed: draft.assumed,
  };
}
