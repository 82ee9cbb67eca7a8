// The receipts, effects and assumptions of one batch.
import { describe, expect, it } from 'vitest';
import {
  ann,
  betOf,
  bob,
  endRoundOf,
  topUpOf,
  transferOf,
  winOf,
} from '../../../test/environment/command-line.ts';
import { makeGenesisHash } from '../rules/chain.ts';
import type { BatchCommand, Command } from '../rules/command.ts';
import { promoAccountOf } from '../rules/movement.ts';
import { applyBatch } from './apply-batch.ts';
import { createLedgerCache, type LedgerCache } from './cache.ts';
import { createLoaded, put } from './load-batch.ts';

const packageId = 7;

/** A cache of packages, each with five movements, a credit of 100 and a player whose balance is 10. */
function givenPackages(...ids: number[]): LedgerCache {
  const cache = createLedgerCache({ maxAccounts: 100, maxMovements: 4, maxGames: 4 });
  for (const id of ids) {
    const accounts = new Map([
      [1n, { balance: 100n, lastSequence: 5n }],
      [2n, { balance: 0n, lastSequence: 0n }],
      [3n, { balance: -110n, lastSequence: 4n }],
      [ann, { balance: 10n, lastSequence: 5n }],
    ]);
    cache.storeHead({ packageId: id, sequence: 5n, hash: makeGenesisHash(id), accounts });
  }
  return cache;
}

const order = (command: Command, id = packageId, overdraftLimit = 0n) => ({
  packageId: id,
  overdraftLimit,
  command,
});
const credit = (id: string, amount = 1n) => transferOf('credit', { id, amount, note: 'why' });

describe('one batch of orders', () => {
  it('a batch returns a receipt per order, or undefined if the package or player is unknown', () => {
    const orders = [
      order(credit('a')),
      order(credit('a'), 9),
      order(transferOf('credit', { id: 'b', amount: 1n, account: bob })),
      order(betOf({ id: 'b', amount: 2n })),
      order(topUpOf('top_up', { id: 't', amount: 5n })),
    ];
    const { receipts, effects } = applyBatch(givenPackages(7), orders, createLoaded(true), 1);
    expect(receipts.map((receipt) => receipt?.outcome.kind)).toEqual([
      'stored',
      undefined,
      undefined,
      'stored',
      'stored',
    ]);
    expect(receipts.map((receipt) => receipt?.credit)).toEqual([99n, undefined, undefined, 99n, 104n]);
    expect(effects.map((effect) => effect.rows.map((row) => row.note))).toEqual([['why', '', '']]);
  });

  it.each([[[7, 3, 5]], [[3, 5, 7]], [[5, 7, 3]]])(
    'a batch writes the packages %j sorted by their ids',
    (ids) => {
      const orders = [...ids.map((id) => order(credit('a'), id)), ...ids.map((id) => order(credit('b'), id))];
      const { effects } = applyBatch(givenPackages(3, 5, 7), orders, createLoaded(true), 1);
      expect(effects.map((effect) => effect.packageId)).toEqual([3, 5, 7]);
      for (const { rows, sequence, expectedSequence } of effects) {
        expect([rows.length, sequence, expectedSequence]).toEqual([2, 7n, 5n]);
      }
    },
  );

  it('a batch writes the accounts that changed, and no package without changes', () => {
    const unseen = winOf({ id: 'w', amount: 1n, of: 'unseen' });
    const orders = [order(topUpOf('top_up', { id: 't', amount: 5n }), 3), order(unseen), order(unseen, 3)];
    const { effects, receipts } = applyBatch(givenPackages(3, 7), orders, createLoaded(true), 1);
    expect(receipts[1]?.outcome).toMatchObject({ kind: 'refused', code: 'bet_not_found' });
    expect(effects.map((effect) => [effect.packageId, ...effect.accounts.keys()])).toEqual([[3, 1n, 3n]]);
  });

  it('a batch writes every leg of an order with several legs', () => {
    const legs = [betOf({ id: 'b', amount: 2n }), winOf({ id: 'w', amount: 5n })];
    const command = { type: 'batch', legs, isOneTransaction: false, requestHash: undefined } as const;
    const orders = [{ packageId, overdraftLimit: 0n, command }];
    const { effects } = applyBatch(givenPackages(7), orders, createLoaded(true), 1);
    expect(effects.map(({ rows }) => rows.map(({ movement }) => movement.amount))).toEqual([[2n, 5n]]);
  });

  it('a receipt has the balance of the account that the order also reads, if it is cached', () => {
    const cache = givenPackages(7);
    const known = cache.packages.get(packageId);
    if (!known) throw new Error('the package is not cached');
    const promo = promoAccountOf(ann);
    const read = (id: string) => {
      const command: BatchCommand = { type: 'batch', legs: [betOf({ id, amount: 1n })] };
      const orders = [{ packageId, overdraftLimit: 0n, command, alsoReads: promo }];
      const [receipt] = applyBatch(cache, orders, createLoaded(true), 1).receipts;
      return receipt && 'alsoRead' in receipt ? receipt.alsoRead : 'missing';
    };
    expect(read('a')).toBeUndefined();
    cache.storeAbsent(known, packageId, promo);
    expect(read('b')).toBe(0n);
    cache.storeAccount(packageId, promo, { balance: 4n, lastSequence: 5n }, 0);
    expect(read('c')).toBe(4n);
  });

  it('a batch applies the overdraft limit of each order', () => {
    const orders = [order(credit('a', 101n)), order(credit('b', 101n), 7, 1n), order(credit('c'))];
    const { receipts } = applyBatch(givenPackages(7), orders, createLoaded(true), 1);
    expect(receipts.map((receipt) => receipt?.credit)).toEqual([100n, -1n, -1n]);
  });
});

describe('a promo account that does not exist', () => {
  const promo = promoAccountOf(ann);
  const decideBoth = (...legs: BatchCommand['legs']) => {
    const command: BatchCommand = { type: 'batch', legs, isOneTransaction: true };
    const orders = [{ packageId, overdraftLimit: 0n, command }, order(credit('next'))];
    return applyBatch(givenPackages(7), orders, createLoaded(true), 1);
  };
  const betOfPromo = betOf({ id: 'p', amount: 2n, account: promo });

  it('a promo bet without a promo account is refused without a movement; the next order is applied', () => {
    const { receipts, effects } = decideBoth(betOfPromo, betOf({ id: 'b', amount: 2n }));
    expect(receipts[0]?.outcome).toEqual({
      ...{ kind: 'leg_refused', leg: 0, code: 'insufficient_funds', balance: 0n },
    });
    expect(receipts[1]?.outcome.kind).toBe('stored');
    expect(effects.map(({ rows }) => rows.map(({ movement }) => movement.transactionId))).toEqual([['next']]);
    expect([...(effects[0]?.accounts.keys() ?? [])]).not.toContain(promo);
  });

  it('an order that would store a movement in a missing promo account gets no receipt', () => {
    const { receipts, effects } = decideBoth(
      winOf({ id: 'p', amount: 2n, account: promo }),
      betOf({ id: 'b', amount: 2n }),
    );
    expect([receipts[0], receipts[1]?.outcome.kind]).toEqual([undefined, 'stored']);
    expect(effects.map(({ rows }) => rows.map(({ movement }) => movement.transactionId))).toEqual([['next']]);
  });

  it('a transfer to a missing promo account gets no receipt, or a conflict if its id is known', () => {
    const loaded = createLoaded(false);
    const first = applyBatch(givenPackages(7), [order(credit('a'))], createLoaded(true), 1);
    const [row] = first.effects[0]?.rows ?? [];
    if (row) put(loaded.movements, 7, row.movement.idHash, row.movement);
    const orders = ['a', 'b'].map((id) =>
      order(transferOf('credit', { id, amount: 1n, note: 'why', account: promo })),
    );
    const { receipts, effects } = applyBatch(givenPackages(7), orders, loaded, 1);
    expect(receipts.map((receipt) => receipt?.outcome)).toEqual([
      { kind: 'conflict', field: 'purse' },
      undefined,
    ]);
    expect(effects).toEqual([]);
  });
});

describe('a movement that was written earlier', () => {
  const earlier = (amount: bigint) => {
    const { effects } = applyBatch(givenPackages(7), [order(credit('a', amount))], createLoaded(true), 1);
    const [row] = effects[0]?.rows ?? [];
    if (!row) throw new Error('nothing was written');
    return row.movement;
  };

  it('a repeat finds the movement in the cache, without a read of the database', () => {
    const cache = givenPackages(7);
    cache.storeMovement(earlier(2n));
    const orders = [order(credit('a', 2n)), order(credit('a', 3n))];
    const { receipts, effects } = applyBatch(cache, orders, createLoaded(false), 1);
    expect(receipts.map((receipt) => receipt?.outcome.kind)).toEqual(['repeated', 'conflict']);
    expect(effects).toEqual([]);
  });

  it('a movement from the database takes precedence over a cached movement that differs', () => {
    const cache = givenPackages(7);
    cache.storeMovement(earlier(2n));
    const loaded = createLoaded(true);
    put(loaded.movements, 7, earlier(3n).idHash, earlier(3n));
    const { receipts } = applyBatch(cache, [order(credit('a', 3n))], loaded, 1);
    expect(receipts[0]?.outcome.kind).toBe('repeated');
  });
});

describe('the assumption that an id is not in the database', () => {
  const applyGames = (...commands: Command[]) =>
    applyBatch(
      givenPackages(7),
      commands.map((command) => order(command)),
      createLoaded(false),
      1,
    );
  const bet = betOf({ id: 'b', amount: 2n });

  it('a batch is provable if it writes every id that it assumes to be absent', () => {
    const { provable, effects } = applyGames(bet, winOf({ id: 'w', amount: 1n, of: 'b' }));
    expect(provable).toBe(true);
    expect(effects[0]?.assumed?.ids.size).toBe(2);
  });

  it('a batch is not provable if it assumes that an id is absent and does not write this id', () => {
    expect(applyGames(winOf({ id: 'w', amount: 1n, of: 'unseen' }), bet).provable).toBe(false);
    expect(applyGames(bet, winOf({ id: 'w', amount: 1n, of: 'unseen' })).provable).toBe(false);
  });

  it('a transfer, or a batch that reads all ids from the database, assumes no id to be absent', () => {
    const { provable, effects } = applyGames(bet, credit('a'), endRoundOf({ round: 'r' }));
    expect(provable).toBe(true);
    expect(effects[0]?.assumed?.ids.has(credit('a').idHash)).toBe(false);
    const orders = [order(winOf({ id: 'w', amount: 1n, of: 'unseen' })), order(bet)];
    const read = applyBatch(givenPackages(7), orders, createLoaded(true), 1);
    expect([read.provable, read.effects[0]?.assumed]).toEqual([true, undefined]);
  });
});
