// A ledger's state: entries that are known, entries that are assumed absent, and views that can be discarded.
import { describe, expect, it } from 'vitest';
import type { BetState, RoundState } from './decision.ts';
import { firstPlayerAccount, houseAccount, type Movement } from './movement.ts';
import {
  applyDecision,
  createAssumed,
  createOverlay,
  createState,
  formatKey,
  type KnownGames,
  type LedgerView,
} from './state.ts';

const ann = firstPlayerAccount;
const key = { hash: 'h', account: ann };
const movement = {
  idHash: 'id',
  sequence: 5n,
  result: 'applied',
  debitAccount: ann,
  creditAccount: houseAccount,
  debitBalance: 6n,
  creditBalance: 4n,
} as Movement;
const bet: BetState = { ...key, status: 'settled' };
const round = { ...key, status: 'closed' } as RoundState;

const stateOf = (games?: KnownGames) =>
  createState({
    packageId: 7,
    overdraftLimit: 3n,
    sequence: 4n,
    nowMs: 9,
    accounts: [[ann, { balance: 10n, lastSequence: 2n }]],
    ...(games && { games }),
  });
const find = (view: LedgerView) => [view.findMovement('id'), view.findBet(key), view.findRound(key)];

describe('a new state', () => {
  it('a new state has the package’s three accounts with a balance of 0, and the loaded accounts', () => {
    const state = stateOf();
    for (const own of [1n, 2n, 3n]) {
      expect(state.getAccount(own)).toEqual({ balance: 0n, lastSequence: 0n });
    }
    expect(state.getAccount(ann)).toEqual({ balance: 10n, lastSequence: 2n });
    expect(() => state.getAccount(1002n)).toThrow('account 1002 was not loaded');
  });

  it('a new state continues with the sequence after the last stored sequence', () => {
    expect(stateOf().nextSequence).toBe(5n);
  });
});

describe('an entry', () => {
  it('a known entry is found, and nothing is assumed absent', () => {
    const games = { findMovement: () => movement, findBet: () => bet, findRound: () => round };
    const state = stateOf(games);
    state.assumed = createAssumed();
    expect(find(state)).toEqual([movement, bet, round]);
    expect(state.assumed).toEqual(createAssumed());
  });

  it('an unknown entry is assumed absent, and the assumption is recorded', () => {
    const games = { findMovement: () => undefined, findBet: () => undefined, findRound: () => undefined };
    for (const state of [stateOf(games), stateOf()]) {
      state.assumed = createAssumed();
      expect(find(state)).toEqual([undefined, undefined, undefined]);
      const name = formatKey(key);
      expect(state.assumed).toEqual({
        ids: new Set(['id']),
        bets: new Map([[name, key]]),
        rounds: new Map([[name, key]]),
      });
    }
  });

  it('an entry that is known to be absent is not recorded as an assumption', () => {
    const state = stateOf({ findMovement: () => undefined, findBet: () => null, findRound: () => null });
    state.assumed = createAssumed();
    expect([state.findBet(key), state.findRound(key)]).toEqual([undefined, undefined]);
    expect(state.assumed).toEqual(createAssumed());
  });

  it('an entry that this batch has changed takes precedence over the cached entry', () => {
    const games = {
      findMovement: () => undefined,
      findBet: () => ({ ...bet, status: 'rolled_back' }) as BetState,
      findRound: () => ({ ...round, status: 'open' }) as RoundState,
    };
    const state = stateOf(games);
    state.assumed = createAssumed();
    applyDecision(state, {
      outcome: { kind: 'stored', movement },
      movements: [movement],
      bet,
      rounds: [round],
    });
    expect(find(state)).toEqual([movement, bet, round]);
    expect(state.assumed).toEqual(createAssumed());
  });
});

describe('a decision', () => {
  const apply = (given: Partial<Movement>) => {
    const state = stateOf();
    const changed = { ...movement, ...given };
    applyDecision(state, { outcome: { kind: 'stored', movement: changed }, movements: [changed] });
    return state;
  };

  it('a decision changes both accounts and the sequence', () => {
    const state = apply({});
    expect(state.getAccount(ann)).toEqual({ balance: 6n, lastSequence: 5n });
    expect(state.getAccount(houseAccount)).toEqual({ balance: 4n, lastSequence: 5n });
    expect(state.nextSequence).toBe(6n);
  });

  it('a refusal is in the statement of the player, but not in the statement of the house', () => {
    const state = apply({ result: 'insufficient_funds', debitBalance: 10n, creditBalance: 0n });
    expect(state.getAccount(ann)).toEqual({ balance: 10n, lastSequence: 5n });
    expect(state.getAccount(houseAccount)).toEqual({ balance: 0n, lastSequence: 0n });
  });
});

describe('an overlay', () => {
  it('an overlay shows the data of the view below it', () => {
    const games = { findMovement: () => movement, findBet: () => bet, findRound: () => round };
    const overlay = createOverlay(stateOf(games));
    expect(overlay).toMatchObject({ packageId: 7, overdraftLimit: 3n, nowMs: 9, nextSequence: 5n });
    expect(overlay.getAccount(ann).balance).toBe(10n);
    expect(find(overlay)).toEqual([movement, bet, round]);
  });

  it('decisions that are applied to an overlay are visible in it, but not in the view below it', () => {
    const below = stateOf();
    const overlay = createOverlay(below);
    applyDecision(overlay, {
      outcome: { kind: 'stored', movement },
      movements: [movement],
      bet,
      rounds: [round],
    });
    expect(find(overlay)).toEqual([movement, bet, round]);
    expect([overlay.getAccount(ann).balance, overlay.nextSequence]).toEqual([6n, 6n]);
    expect(find(below)).toEqual([undefined, undefined, undefined]);
    expect([below.getAccount(ann).balance, below.nextSequence]).toEqual([10n, 5n]);
  });
});
