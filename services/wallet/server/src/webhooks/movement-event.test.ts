// Events about promo money name the player and the purse. Events about cash have no purse, as in earlier
// versions.
import { expect, it } from 'vitest';
import { type Movement, promoAccountOf } from '../ledger/rules/movement.ts';
import { findBalanceEvent } from './movement-event.ts';

const cash = 1001n;

const eventFor = (account: bigint) => {
  const movement: Movement = {
    packageId: 7,
    sequence: 5n,
    previousSequence: 0n,
    kind: 'credit',
    result: 'applied',
    debitAccount: 1n,
    creditAccount: account,
    amount: 250_000n,
    debitBalance: 0n,
    creditBalance: 250_000n,
    idHash: '00000000-0000-0000-0000-000000000000',
    transactionId: 't',
    createdAtMs: 0,
    noteHash: undefined,
    referenceHash: undefined,
    roundHash: undefined,
    roundPrevious: undefined,
    gameId: undefined,
  };
  const unit = { currency: 'EUR', decimals: 5 };
  return findBalanceEvent(movement, {
    unit,
    players: new Map([[account, 'ada']]),
    rounds: new Map(),
    connections: new Map(),
  });
};

it('an event about promo money has the player as its subject and names the purse', () => {
  const event = eventFor(promoAccountOf(cash));
  expect(event?.subject).toBe('player:1001');
  expect(event?.data).toMatchObject({ player_id: 'ada', change: 2.5, balance: 2.5, purse: 'promo' });
});

it('an event about cash names no purse', () => {
  const event = eventFor(cash);
  expect(event?.subject).toBe('player:1001');
  expect(event?.data).not.toHaveProperty('purse');
});
