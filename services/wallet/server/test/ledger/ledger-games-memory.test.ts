// Bets and rounds that are not cached are assumed absent. The batch is written only if this assumption is
// true.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/engine/ledger.ts';
import type { BetCommand, Command } from '../../src/ledger/rules/command.ts';
import { betOf, endRoundOf, rollbackOf, transferOf, winOf } from '../environment/command-line.ts';
import { answerOf, type Ledgers, openLedgers, wordOf } from './ledgers.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

async function givenPlayer() {
  const packageId = await ledgers.package(1000n);
  const account = await ledgers.player(packageId);
  const ledger = ledgers.open();
  const submit = async (command: Command, by: Ledger = ledger) =>
    wordOf(await answerOf(by.submit({ packageId, overdraftLimit: 0n, command })));
  const fund = transferOf('credit', { id: 'fund', account, amount: 100n });
  expect(await submit(fund)).toBe('stored applied');
  return { packageId, account, ledger, submit };
}

it('a bet, its win and the end of its round need one write each, and no read', async () => {
  const { account, ledger, submit } = await givenPlayer();
  const before = { ...ledger.counters };
  expect(await submit(betOf({ id: 'b', account, amount: 5n, round: 'r' }))).toBe('stored applied');
  const win = winOf({ id: 'w', account, amount: 9n, of: 'b', round: 'r' });
  expect(await submit(win)).toBe('stored applied');
  expect(await submit(endRoundOf({ account, round: 'r' }))).toBe('stored closed');
  expect(ledger.counters.writes - before.writes).toBe(3);
  const { known, stale, unforeseen, locked } = ledger.counters;
  expect({ known, stale, unforeseen, locked }).toEqual({
    known: before.known,
    stale: before.stale,
    unforeseen: 0,
    locked: 0,
  });
});

it('a bet is refused if another process has stored its tombstone', async () => {
  const { account, submit } = await givenPlayer();
  expect(await submit(rollbackOf({ id: 'x', account, of: 'b' }))).toBe('stored tombstoned');
  const later = ledgers.open();
  expect(await submit(betOf({ id: 'b', account, amount: 5n }), later)).toBe('bet_rolled_back');
  expect(later.counters.unforeseen).toBeGreaterThan(0);
});

it('a round that was closed before this process started accepts no bet', async () => {
  const { account, submit } = await givenPlayer();
  await submit(betOf({ id: 'b', account, amount: 5n, round: 'r' }));
  await submit(endRoundOf({ account, round: 'r' }));
  const later = ledgers.open();
  const bet = betOf({ id: 'b2', account, amount: 5n, round: 'r' });
  expect(await submit(bet, later)).toBe('round_closed');
  const repeat = betOf({ id: 'b', account, amount: 5n, round: 'r' });
  expect(await submit(repeat, later)).toBe('repeated applied');
});

it('a process adds its bet to a round that another process started', async () => {
  const { packageId, account, submit } = await givenPlayer();
  await submit(betOf({ id: 'b', account, amount: 5n, round: 'r' }));
  const later = ledgers.open();
  await submit(betOf({ id: 'b2', account, amount: 7n, round: 'r' }), later);
  const { rows } = await ledgers.db.query<{ bet_total: bigint }>(
    'select bet_total from rounds where package_id = $1',
    [packageId],
  );
  expect(rows).toEqual([{ bet_total: 12n }]);
});

it('a repeat of an old bet gets the first answer, even if the player is blocked now', async () => {
  const { account, submit } = await givenPlayer();
  const bet = betOf({ id: 'b', account, amount: 5n });
  expect(await submit(bet)).toBe('stored applied');
  const blocked: BetCommand = { ...(bet as BetCommand), blockedBy: 'player_blocked' };
  expect(await submit(blocked, ledgers.open())).toBe('repeated applied');
  expect(await submit(blocked)).toBe('repeated applied');
});

it('a process finds the bets and the bet states that another process stored', async () => {
  const { account, submit } = await givenPlayer();
  await submit(betOf({ id: 'b', account, amount: 5n }));
  const later = ledgers.open();
  expect(await submit(winOf({ id: 'w', account, amount: 9n, of: 'b' }), later)).toBe('stored applied');
  expect(await submit(rollbackOf({ id: 'x', account, of: 'b' }))).toBe('bet_already_settled');
  await submit(betOf({ id: 'c', account, amount: 5n }));
  expect(await submit(rollbackOf({ id: 'y', account, of: 'c' }), later)).toBe('stored rolled_back');
  expect(await submit(winOf({ id: 'v', account, amount: 9n, of: 'c' }))).toBe('bet_rolled_back');
});

it('the ledger gives the same answers if its cache has room for only two entries', async () => {
  const packageId = await ledgers.package(1000n);
  const account = await ledgers.player(packageId);
  const ledger = ledgers.open({ maxGames: 2 });
  const submit = async (command: Command) =>
    wordOf(await answerOf(ledger.submit({ packageId, overdraftLimit: 0n, command })));
  await submit(transferOf('credit', { id: 'fund', account, amount: 100n }));
  for (const round of ['r1', 'r2', 'r3', 'r4']) {
    expect(await submit(betOf({ id: `b-${round}`, account, amount: 1n, round }))).toBe('stored applied');
  }
  for (const round of ['r1', 'r2', 'r3', 'r4']) {
    const win = winOf({ id: `w-${round}`, account, amount: 2n, of: `b-${round}`, round });
    expect(await submit(win)).toBe('stored applied');
    expect(await submit(endRoundOf({ account, round }))).toBe('stored closed');
    expect(await submit(betOf({ id: `c-${round}`, account, amount: 1n, round }))).toBe('round_closed');
  }
  expect(await ledgers.balance(packageId, account)).toBe(104n);
});
