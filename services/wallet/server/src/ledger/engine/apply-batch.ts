// Applies the rules to the orders of a batch. The orders of each package are decided in the order of their
// arrival.

import { chainMovement } from '../rules/chain.ts';
import { type AnyCommand, listAccounts, listGameCommands } from '../rules/command.ts';
import { decide } from '../rules/decide.ts';
import { decideBatch } from '../rules/decide-batch.ts';
import type { BetState, Decision, RoundState } from '../rules/decision.ts';
import { creditAccount, isPromoAccount, type Movement } from '../rules/movement.ts';
import {
  type Assumed,
  applyDecision,
  createAssumed,
  createOverlay,
  createState,
  formatKey,
  type LedgerState,
} from '../rules/state.ts';
import type { PackageEffects } from '../store/batch-columns.ts';
import type { CachedPackage, LedgerCache } from './cache.ts';
import type { Loaded } from './load-batch.ts';
import type { AnyOrder, AnyReceipt } from './pending-order.ts';

export interface AppliedBatch {
  /** One entry per package with rows to write, by ascending package id. */
  readonly effects: PackageEffects[];
  /**
   * Entry i belongs to order i of the batch. The entry is undefined if the order needs an account that does
   * not exist.
   */
  readonly receipts: (AnyReceipt | undefined)[];
  /**
   * False if a decision assumed that an id is absent and the batch does not write this id. The write
   * statement looks only for the ids that it writes.
   */
  readonly provable: boolean;
}

interface Draft {
  readonly known: CachedPackage;
  readonly state: LedgerState;
  readonly rows: { movement: Movement; hash: Buffer; note: string }[];
  readonly bets: Map<string, BetState & { sequence: bigint }>;
  readonly rounds: Map<string, RoundState>;
  /**
   * The ids, bets and rounds that were assumed absent; undefined if all of them were read from the database.
   */
  readonly assumed: Assumed | undefined;
  hash: Buffer;
}

export function applyBatch(
  cache: LedgerCache,
  orders: readonly AnyOrder[],
  loaded: Loaded,
  nowMs: number,
): AppliedBatch {
  const drafts = new Map<number, Draft>();
  const receipts: (AnyReceipt | undefined)[] = [];
  for (const order of orders) {
    const draft = drafts.get(order.packageId) ?? openDraft(cache, order, loaded, nowMs);
    if (!draft) {
      receipts.push(undefined);
      continue;
    }
    drafts.set(order.packageId, draft);
    receipts.push(decideOrder(cache, draft, order));
  }
  const effects = [...drafts.values()].filter((draft) => draft.rows.length > 0).map(toEffects);
  effects.sort((a, b) => a.packageId - b.packageId);
  return { effects, receipts, provable: [...drafts.values()].every(isProvable) };
}

/**
 * Whether the batch writes every id that it assumed to be absent. The write detects ids that exist already,
 * so the write proves the assumption.
 */
function isProvable({ assumed, state }: Draft): boolean {
  for (const id of assumed?.ids ?? []) if (!state.movements.has(id)) return false;
  return true;
}

function openDraft(cache: LedgerCache, order: AnyOrder, loaded: Loaded, nowMs: number): Draft | undefined {
  const known = cache.packages.get(order.packageId);
  if (!known) return undefined;
  const state = createState({
    packageId: order.packageId,
    overdraftLimit: order.overdraftLimit,
    sequence: known.sequence,
    nowMs,
    games: known.games,
  });
  for (const id of [1n, 2n, 3n]) copyAccount(known, state, id);
  for (const [key, value] of loaded.movements.get(order.packageId) ?? []) state.movements.set(key, value);
  for (const [key, value] of loaded.bets.get(order.packageId) ?? []) state.bets.set(key, value);
  for (const [key, value] of loaded.rounds.get(order.packageId) ?? []) state.rounds.set(key, value);
  const assumed = loaded.complete ? undefined : createAssumed();
  const { hash } = known;
  return { known, state, rows: [], bets: new Map(), rounds: new Map(), assumed, hash };
}

function copyAccount(known: CachedPackage, state: LedgerState, id: bigint): boolean {
  const account = known.accounts.get(id);
  if (account) state.accounts.set(id, account);
  return account !== undefined;
}

function decideOrder(cache: LedgerCache, draft: Draft, order: AnyOrder): AnyReceipt | undefined {
  const { command } = order;
  const { state } = draft;
  const missing = listMissing(draft, command);
  if (!missing.every(isPromoAccount)) return undefined;
  const isGame = listGameCommands(command).length > 0;
  state.assumed = isGame ? draft.assumed : undefined;
  if ('note' in command && !state.movements.has(command.idHash)) {
    const { idHash, transactionId } = command;
    const seen = cache.findMovement({ packageId: order.packageId, idHash, transactionId });
    if (seen) state.movements.set(command.idHash, seen);
  }
  state.overdraftLimit = order.overdraftLimit;
  if (missing.length > 0) return decideWithout(missing, state, command);
  const note = 'note' in command ? command.note : '';
  if (command.type === 'batch') {
    const { outcome, legs } = decideBatch(state, command);
    for (const leg of legs) addToDraft(draft, leg, note);
    const alsoRead = order.alsoReads === undefined ? undefined : findBalance(draft, order.alsoReads);
    return { outcome, credit: state.getAccount(creditAccount).balance, alsoRead };
  }
  const decision = decide(state, command);
  addToDraft(draft, decision, note);
  return { outcome: decision.outcome, credit: state.getAccount(creditAccount).balance };
}

const noAccounts: readonly bigint[] = [];

/** The accounts of the command that do not exist. The other accounts are copied from the cache. */
function listMissing({ known, state }: Draft, command: AnyCommand): readonly bigint[] {
  let missing = noAccounts;
  for (const id of listAccounts(command)) {
    if (!state.accounts.has(id) && !copyAccount(known, state, id)) missing = [...missing, id];
  }
  return missing;
}

const emptyAccount = { balance: 0n, lastSequence: 0n };

/**
 * Decides a command whose promo account does not exist. The rules see an empty account instead. An outcome
 * that stores nothing, such as a conflict or an open refusal, is the answer. If the rules would store a
 * movement, the result is undefined, and the caller must open the account first.
 */
function decideWithout(
  missing: readonly bigint[],
  state: LedgerState,
  command: AnyCommand,
): AnyReceipt | undefined {
  const view = createOverlay(state);
  for (const id of missing) view.accounts.set(id, emptyAccount);
  const { outcome } = command.type === 'batch' ? decideBatch(view, command) : decide(view, command);
  if (outcome.kind === 'stored' || outcome.kind === 'batch') return undefined;
  return { outcome, credit: state.getAccount(creditAccount).balance };
}

/**
 * The balance of an account that no command of the order names. It is 0 if the account does not exist, and
 * undefined if the cache knows neither the account nor that it does not exist.
 */
function findBalance({ state, known }: Draft, id: bigint): bigint | undefined {
  const account = state.accounts.get(id) ?? known.accounts.get(id);
  return account?.balance ?? (known.absent.has(id) ? 0n : undefined);
}

function addToDraft(draft: Draft, decision: Decision, note: string): void {
  const { state } = draft;
  for (const movement of decision.movements) {
    draft.hash = chainMovement(draft.hash, movement);
    draft.rows.push({ movement, hash: draft.hash, note });
  }
  applyDecision(state, decision);
  if (decision.bet) {
    const { hash, account, status } = decision.bet;
    draft.bets.set(formatKey(decision.bet), { hash, account, status, sequence: state.sequence });
  }
  for (const round of decision.rounds ?? []) draft.rounds.set(formatKey(round), round);
}

function toEffects(draft: Draft): PackageEffects {
  const { state, known } = draft;
  const accounts = new Map(
    [...state.accounts].filter(([, account]) => account.lastSequence > known.sequence),
  );
  return {
    packageId: state.packageId,
    expectedSequence: known.sequence,
    expectedHash: known.hash,
    sequence: state.sequence,
    hash: draft.hash,
    rows: draft.rows,
    accounts,
    bets: draft.bets,
    rounds: draft.rounds,
    assumed: draft.assumed,
  };
}
