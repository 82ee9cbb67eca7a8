// Applies random histories in batches and one by one, and fails if the results differ.
import { expect } from 'vitest';
import { type AppliedBatch, applyBatch } from '../../../src/ledger/engine/apply-batch.ts';
import { createLedgerCache } from '../../../src/ledger/engine/cache.ts';
import { createLoaded, type Loaded, put } from '../../../src/ledger/engine/load-batch.ts';
import { makeGenesisHash } from '../../../src/ledger/rules/chain.ts';
import type { Command } from '../../../src/ledger/rules/command.ts';
import type { Movement } from '../../../src/ledger/rules/movement.ts';
import { formatKey } from '../../../src/ledger/rules/state.ts';
import { describeCommand, makeHistory, smallSpace } from './histories.ts';
import { createRandom } from './random.ts';

interface Played {
  readonly receipts: AppliedBatch['receipts'];
  readonly rows: { movement: Movement; hash: string }[];
}

const packageId = 7;
const zero = { balance: 0n, lastSequence: 0n };

/** Applies batches without a database: each batch reads the effects of earlier batches from maps. */
function playBatches(batches: readonly Command[][], overdraftLimit: bigint): Played {
  const cache = createLedgerCache({ maxAccounts: 100, maxMovements: 4, maxGames: 4 });
  const own = [1n, 2n, 3n, ...smallSpace.accounts].map((id) => [id, zero] as const);
  const hash = makeGenesisHash(packageId);
  const known = cache.storeHead({ packageId, sequence: 0n, hash, accounts: new Map(own) });
  const database: Loaded = createLoaded(true);
  const played: Played = { receipts: [], rows: [] };
  for (const commands of batches) {
    const orders = commands.map((command) => ({ packageId, overdraftLimit, command }));
    const { effects, receipts } = applyBatch(cache, orders, database, 1);
    played.receipts.push(...receipts);
    for (const effect of effects) {
      expect(effect.expectedSequence).toBe(known.sequence);
      for (const { movement, hash: rowHash } of effect.rows) {
        played.rows.push({ movement, hash: rowHash.toString('hex') });
        put(database.movements, packageId, movement.idHash, movement);
      }
      for (const [betHash, bet] of effect.bets) put(database.bets, packageId, betHash, bet);
      for (const round of effect.rounds.values()) {
        put(database.rounds, packageId, formatKey(round), round);
      }
      known.sequence = effect.sequence;
      known.hash = effect.hash;
      for (const [id, account] of effect.accounts) cache.storeAccount(packageId, id, account, 0);
    }
  }
  return played;
}

/** Returns the number of batches that contained an id twice. */
export function checkBatches(seed: number, histories: number): number {
  let joined = 0;
  for (let i = 0; i < histories; i++) {
    const random = createRandom(seed + i);
    const commands = makeHistory(random, smallSpace, 20);
    const batches: Command[][] = [];
    for (let at = 0; at < commands.length; ) {
      const size = 1 + random.below(9);
      batches.push(commands.slice(at, at + size));
      at += size;
    }
    const single = commands.map((command) => [command]);
    const hint = `TEST_SEED=${seed} history ${i}\n${commands.map(describeCommand).join('\n')}`;
    const together = playBatches(batches, 2n);
    expect(together, hint).toEqual(playBatches(single, 2n));
    expect(together.receipts.filter(Boolean), hint).toHaveLength(commands.length);
    joined += batches.filter(hasRepeat).length;
  }
  return joined;
}

/** Whether the batch contains an id twice. */
const hasRepeat = (batch: readonly Command[]): boolean =>
  new Set(batch.map((command) => command.idHash)).size < batch.length;
