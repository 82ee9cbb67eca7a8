// Replays a journal from its first row and finds every row that does not follow from the earlier rows.
import { chainMovement, makeGenesisHash } from '../ledger/rules/chain.ts';
import { firstPlayerAccount, type Movement, movesMoney } from '../ledger/rules/movement.ts';
import type { AccountState } from '../ledger/rules/state.ts';
import { type Flaw, maxFlaws } from './proof.ts';

/**
 * The state of a replay. A replay gets its rows from the caller and does no I/O, so that a test can pass its
 * own rows.
 */
export interface Replay {
  readonly flaws: Flaw[];
  readonly accounts: Map<bigint, AccountState>;
  sequence: bigint;
  hash: Buffer;
  apply(movement: Movement, storedHash: Buffer): void;
}

const start: AccountState = { balance: 0n, lastSequence: 0n };

export function createReplay(packageId: number): Replay {
  const replay: Replay = {
    flaws: [],
    accounts: new Map(),
    sequence: 0n,
    hash: makeGenesisHash(packageId),
    apply: (movement, storedHash) => {
      checkPosition(replay, movement, storedHash);
      checkBalances(replay, movement);
      replay.sequence = movement.sequence;
      // The replay continues from the stored hash. So only the changed row is reported, and not every later
      // row.
      replay.hash = storedHash;
    },
  };
  return replay;
}

export function report(replay: Pick<Replay, 'flaws'>, flaw: Flaw): void {
  if (replay.flaws.length < maxFlaws) replay.flaws.push(flaw);
}

function checkPosition(replay: Replay, movement: Movement, storedHash: Buffer): void {
  const { sequence } = movement;
  if (sequence !== replay.sequence + 1n) {
    report(replay, { sequence, problem: `the row before it is ${replay.sequence}: rows are missing` });
  }
  if (!chainMovement(replay.hash, movement).equals(storedHash)) {
    report(replay, { sequence, problem: 'its hash does not fit its content and the row before it' });
  }
}

function checkBalances(replay: Replay, movement: Movement): void {
  const { sequence } = movement;
  const moved = movesMoney(movement.result) ? movement.amount : 0n;
  const sides = [
    { id: movement.debitAccount, after: movement.debitBalance, change: -moved },
    { id: movement.creditAccount, after: movement.creditBalance, change: moved },
  ];
  for (const { id, after, change } of sides) {
    const before = replay.accounts.get(id) ?? start;
    if (before.balance + change !== after) {
      const wanted = before.balance + change;
      report(replay, { sequence, account: id, problem: `has a balance of ${after}, not ${wanted}` });
    }
    const isPlayer = id >= firstPlayerAccount;
    if (isPlayer && movement.previousSequence !== before.lastSequence) {
      const problem = `links back to ${movement.previousSequence}, not ${before.lastSequence}`;
      report(replay, { sequence, account: id, problem });
    }
    if (isPlayer && after < 0n) report(replay, { sequence, account: id, problem: 'goes below zero' });
    const touched = isPlayer || movesMoney(movement.result);
    const lastSequence = touched ? sequence : before.lastSequence;
    replay.accounts.set(id, { balance: after, lastSequence });
  }
}
