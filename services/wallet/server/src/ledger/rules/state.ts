// A package's ledger as `decide` sees it, and how decisions change it.

import type { BetState, Decision, RoundState } from './decision.ts';
import {
  creditAccount,
  firstPlayerAccount,
  houseAccount,
  issuanceAccount,
  type Movement,
  movesMoney,
} from './movement.ts';

export interface AccountState {
  readonly balance: bigint;
  readonly lastSequence: bigint;
}

/** Everything that a decision may depend on. No method does I/O. */
export interface LedgerView {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly nextSequence: bigint;
  readonly nowMs: number;
  getAccount(id: bigint): AccountState;
  findMovement(idHash: string): Movement | undefined;
  findBet(key: PlayerKey): BetState | undefined;
  findRound(key: PlayerKey): RoundState | undefined;
}

/**
 * The key of a bet or round. It contains the account for two reasons: a tombstone applies only to the player
 * whom the rollback names, and each player has a separate part in a round.
 */
interface PlayerKey {
  readonly hash: string;
  readonly account: bigint;
}

export const formatKey = ({ hash, account }: PlayerKey): string => `${hash}:${account}`;

/** The effects of decisions. They are in separate maps, so that all effects can be discarded together. */
interface Effects {
  sequence: bigint;
  readonly accounts: Map<bigint, AccountState>;
  readonly movements: Map<string, Movement>;
  readonly bets: Map<string, BetState>;
  readonly rounds: Map<string, RoundState>;
}

/** A view of the ledger to which decisions can be applied. */
export interface LedgerState extends Effects, Omit<LedgerView, 'overdraftLimit'> {
  /** The overdraft limit for the current order. It is set before the order is decided. */
  overdraftLimit: bigint;
  /**
   * Records every id, bet and round that was not found in memory and is therefore assumed absent. Undefined
   * if the state contains everything that is stored.
   */
  assumed: Assumed | undefined;
}

/**
 * The cached movements, bets and rounds. A method returns null if the entry is known to be absent. It returns
 * undefined if it is unknown whether the entry exists.
 */
export interface KnownGames {
  findMovement(idHash: string): Movement | undefined;
  findBet(key: string): BetState | null | undefined;
  findRound(key: string): RoundState | null | undefined;
}

/**
 * Ids, bets and rounds that are not in memory. The decisions assumed that they do not exist. The write checks
 * this assumption.
 */
export interface Assumed {
  readonly ids: Set<string>;
  readonly bets: Map<string, PlayerKey>;
  readonly rounds: Map<string, PlayerKey>;
}

export const createAssumed = (): Assumed => ({
  ids: new Set(),
  bets: new Map(),
  rounds: new Map(),
});

export function createState(given: {
  packageId: number;
  overdraftLimit: bigint;
  sequence: bigint;
  nowMs: number;
  accounts?: Iterable<[bigint, AccountState]>;
  games?: KnownGames;
}): LedgerState {
  const { games } = given;
  const zero = { balance: 0n, lastSequence: 0n };
  const own = [creditAccount, houseAccount, issuanceAccount].map((id) => [id, zero] as const);
  return {
    packageId: given.packageId,
    overdraftLimit: given.overdraftLimit,
    nowMs: given.nowMs,
    sequence: given.sequence,
    accounts: new Map([...own, ...(given.accounts ?? [])]),
    movements: new Map(),
    bets: new Map(),
    rounds: new Map(),
    assumed: undefined,
    get nextSequence() {
      return this.sequence + 1n;
    },
    getAccount(id) {
      const account = this.accounts.get(id);
      if (!account) throw new Error(`account ${id} was not loaded`);
      return account;
    },
    findMovement(idHash) {
      const found = this.movements.get(idHash) ?? games?.findMovement(idHash);
      if (!found) this.assumed?.ids.add(idHash);
      return found;
    },
    findBet(key) {
      const name = formatKey(key);
      const found = this.bets.get(name) ?? games?.findBet(name);
      if (found === undefined) this.assumed?.bets.set(name, key);
      return found ?? undefined;
    },
    findRound(key) {
      const name = formatKey(key);
      const found = this.rounds.get(name) ?? games?.findRound(name);
      if (found === undefined) this.assumed?.rounds.set(name, key);
      return found ?? undefined;
    },
  };
}

/**
 * Creates a view for decisions that may be discarded. Decisions that are applied to the new view do not
 * change the given `view`.
 */
export function createOverlay(view: LedgerView): LedgerView & Effects {
  return {
    packageId: view.packageId,
    overdraftLimit: view.overdraftLimit,
    nowMs: view.nowMs,
    sequence: view.nextSequence - 1n,
    accounts: new Map(),
    movements: new Map(),
    bets: new Map(),
    rounds: new Map(),
    get nextSequence() {
      return this.sequence + 1n;
    },
    getAccount(id) {
      return this.accounts.get(id) ?? view.getAccount(id);
    },
    findMovement(idHash) {
      return this.movements.get(idHash) ?? view.findMovement(idHash);
    },
    findBet(key) {
      return this.bets.get(formatKey(key)) ?? view.findBet(key);
    },
    findRound(key) {
      return this.rounds.get(formatKey(key)) ?? view.findRound(key);
    },
  };
}

/** Applies a decision, so that the next decision in the batch sees its effects. */
export function applyDecision(state: Effects, decision: Decision): void {
  for (const movement of decision.movements) {
    state.sequence = movement.sequence;
    state.movements.set(movement.idHash, movement);
    updateAccount(state, movement, movement.debitAccount, movement.debitBalance);
    updateAccount(state, movement, movement.creditAccount, movement.creditBalance);
  }
  if (decision.bet) state.bets.set(formatKey(decision.bet), decision.bet);
  for (const round of decision.rounds ?? []) state.rounds.set(formatKey(round), round);
}

/**
 * A player's account points to its newest row in the journal, even if this row is a refusal. The player's
 * statement lists refusals too.
 */
function updateAccount(state: Effects, movement: Movement, id: bigint, balance: bigint): void {
  const isPlayer = id >= firstPlayerAccount;
  if (!isPlayer && !movesMoney(movement.result)) return;
  state.accounts.set(id, { balance, lastSequence: movement.sequence });
}
