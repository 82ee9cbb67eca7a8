// A round for money: bet, outcome, win; once per number; and what the player is told if it fails.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { describe, expect, it } from 'vitest';
import { control, holdTimeouts, register, sitDown, startProvider, startWallet } from './given.ts';

/** Reels that stop at once on their first symbols; roulette that draws what the test says. */
const drawing = (number: number) => ({ draw: () => number });
const onRed = { round: 1, bet_minor: 100, field: 'red' };
const atRoulette = { game_id: 'harbour-roulette' };

async function seat(options = {}, fields = {}) {
  const wallet = await startWallet();
  const provider = await startProvider(options);
  await register(provider, wallet);
  return { wallet, provider, player: await sitDown(provider, { ...atRoulette, ...fields }) };
}

describe('a round', () => {
  it('takes the bet first, then pays the win, and shows the balance that the wallet says', async () => {
    const { wallet, player } = await seat(drawing(3));
    expect((await player.state()).body).toMatchObject({
      balance: 100,
      next_round: 1,
      mode: 'real',
    });
    const { status, body } = await player.spin(onRed);
    expect(status).toBe(200);
    expect(body).toEqual({
      round: 1,
      bet_minor: 100,
      win_minor: 200,
      balance: 101,
      settled: true,
      outcome: { kind: 'pick', drawn: 3, field: 'red', won: true },
    });
    const [, bet, win] = wallet.received.map((each) => each.body);
    expect(bet).toEqual({
      action: 'bet',
      player_id: 'p-1',
      session_id: 'gs_1',
      game_id: 'harbour-roulette',
      round_id: expect.any(String),
      transaction_id: expect.any(String),
      amount: 1,
      currency: 'EUR',
      round_finished: false,
    });
    expect(win).toEqual({
      ...bet,
      action: 'win',
      transaction_id: expect.any(String),
      reference_transaction_id: bet?.transaction_id,
      amount: 2,
      round_finished: true,
    });
    expect(win?.transaction_id).not.toBe(bet?.transaction_id);
    expect(wallet.received[1]?.headers).toMatchObject({
      'x-uid': 'UID_test',
      'x-api-key': 'gpk_test',
      'x-api-secret': 'gps_test',
    });
  });

  it('without a win is settled by a win of zero that closes it', async () => {
    const { wallet, player } = await seat(drawing(2));
    expect((await player.spin(onRed)).body).toMatchObject({ win_minor: 0, balance: 99 });
    expect(wallet.received.at(-1)?.body).toMatchObject({
      action: 'win',
      amount: 0,
      round_finished: true,
    });
  });

  it('on reels shows a grid whose lines add up to the win', async () => {
    const { player } = await seat({}, { game_id: 'moon-harvest' });
    const { body } = await player.spin({ round: 1, bet_minor: 100 });
    const round = body as {
      win_minor: number;
      outcome: { grid: number[][]; wins: { win_minor: number }[] };
    };
    expect(round.outcome.grid.map((reel) => reel.length)).toEqual([3, 3, 3, 3, 3]);
    expect(round.win_minor).toBe(round.outcome.wins.reduce((sum, win) => sum + win.win_minor, 0));
  });

  it('asked for again with the same number bets nothing and answers the same', async () => {
    const { wallet, player } = await seat();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 8 }, () => player.spin(onRed)),
    );
    const later = await player.spin(onRed);
    for (const each of [...others, later]) expect(each.body).toEqual(first?.body);
    expect(wallet.actions()).toEqual(['bet', 'win']);
    expect((await player.state()).body).toMatchObject({ next_round: 2 });
  });

  it('with a used number and another stake or field is refused', async () => {
    const { wallet, player } = await seat();
    await player.spin({ ...onRed, round: 2 });
    for (const order of [
      { ...onRed, round: 2, bet_minor: 200 },
      { ...onRed, round: 2, field: 'odd' },
      onRed,
    ]) {
      const { status, body } = await player.spin(order);
      expect([status, body]).toMatchObject([409, { code: 'round_conflict' }]);
    }
    expect(wallet.actions()).toEqual(['bet', 'win']);
  });

  it('does not begin while the last one runs', async () => {
    const endTimeout = holdTimeouts();
    const { wallet, player } = await seat({ waitsMs: [] });
    wallet.manners = ['hang', 'answer'];
    const running = player.spin(onRed);
    await until(() => wallet.received.length === 1);
    const second = await player.spin({ ...onRed, round: 2 });
    expect([second.status, second.body]).toMatchObject([409, { code: 'round_in_progress' }]);
    endTimeout();
    expect((await running).status).toBe(503);
  });

  it.each([
    ['a stake that is not offered', { ...onRed, bet_minor: 33 }],
    ['a field that is not there', { ...onRed, field: 'n37' }],
    ['no field where one is needed', { round: 1, bet_minor: 100 }],
    ['a negative stake', { ...onRed, bet_minor: -100 }],
  ])('with %s is refused before anybody is asked', async (_title, order) => {
    const { wallet, player } = await seat();
    expect((await player.spin(order)).status).toBe(400);
    expect(wallet.received).toEqual([]);
  });
});

describe('the player is told', () => {
  it('that the balance does not cover the stake, and what it is', async () => {
    const { wallet, player, provider } = await seat();
    wallet.balance = 0.5;
    const { status, body } = await player.spin(onRed);
    expect([status, body]).toMatchObject([
      422,
      {
        code: 'insufficient_funds',
        msg: expect.stringContaining('Not enough'),
        data: { balance: 0.5 },
      },
    ]);
    expect(wallet.actions()).toEqual(['bet']);
    expect((await control(provider, 'deliveries')).body).toMatchObject({ pending: [] });
  });

  it('that the session has expired', async () => {
    let passedMs = 0;
    const { wallet, player } = await seat({ now: () => Date.now() + passedMs });
    passedMs = 3_600_000;
    const { status, body } = await player.spin(onRed);
    expect([status, body]).toMatchObject([403, { code: 'session_expired' }]);
    expect(wallet.received).toEqual([]);
    passedMs += 120_000;
    expect((await player.spin(onRed)).status).toBe(410);
  });

  it('that the wallet cannot be reached, and the round is called off', async () => {
    const { wallet, player, provider } = await seat();
    wallet.manners = ['lost', 'lost', 'lost', 'lost', 'answer'];
    const { status, body } = await player.spin(onRed);
    expect([status, body]).toMatchObject([503, { code: 'wallet_unreachable' }]);
    await until(async () => isDelivered(await control(provider, 'deliveries')));
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'bet', 'rollback']);
    expect(wallet.balance).toBe(100);
    const next = await player.spin({ ...onRed, round: 2 });
    expect(next.status).toBe(200);
  });
});

it('a demo round moves a play balance of 1,000 and calls nobody', async () => {
  const { wallet, player } = await seat(drawing(3), { mode: 'demo' });
  expect((await player.state()).body).toMatchObject({ balance: 1000, mode: 'demo' });
  expect((await player.spin(onRed)).body).toMatchObject({ balance: 1001, win_minor: 200 });
  expect((await player.spin({ ...onRed, round: 2, field: 'even' })).body).toMatchObject({
    balance: 1000,
  });
  expect(wallet.received).toEqual([]);
});

it('without its cookie a session is nobody, whoever knows its address', async () => {
  const { player, wallet } = await seat();
  const answer = await fetch(`${player.place}/api/spin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(onRed),
  });
  expect(answer.status).toBe(410);
  expect(wallet.received).toEqual([]);
});

const isDelivered = ({ body }: { body: unknown }) =>
  (body as { pending: unknown[] }).pending.length === 0;

const until = (holds: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await holds()).toBe(true));
