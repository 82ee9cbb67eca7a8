// A round for money sends a bet and a win. Each round number is played once, and a failure names its reason.
import { describe, expect, it } from 'vitest';
import { control, drawing, givenPlayer, holdTimeouts, onRed, settled, until } from './given.ts';

describe('a round', () => {
  it('a round sends the bet, then the win, and shows the balance of the wallet', async () => {
    const { wallet, player } = await givenPlayer(drawing(3));
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

  it('a round that the player loses is closed by a win callback with the amount 0', async () => {
    const { wallet, player } = await givenPlayer(drawing(2));
    expect((await player.spin(onRed)).body).toMatchObject({ win_minor: 0, balance: 99 });
    expect(wallet.received.at(-1)?.body).toMatchObject({
      action: 'win',
      amount: 0,
      round_finished: true,
    });
  });

  it('a round of a slot machine has a grid of symbols, and its winning lines add up to the win', async () => {
    const { player } = await givenPlayer({}, { game_id: 'moon-harvest' });
    const { body } = await player.spin({ round: 1, bet_minor: 100 });
    const round = body as {
      win_minor: number;
      outcome: { grid: number[][]; wins: { win_minor: number }[] };
    };
    expect(round.outcome.grid.map((reel) => reel.length)).toEqual([3, 3, 3, 3, 3]);
    expect(round.win_minor).toBe(round.outcome.wins.reduce((sum, win) => sum + win.win_minor, 0));
  });

  it('a repeated request with the same round number places no bet and gets the first answer', async () => {
    const { wallet, player } = await givenPlayer();
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => player.spin(onRed)));
    const later = await player.spin(onRed);
    for (const each of [...others, later]) expect(each.body).toEqual(first?.body);
    expect(wallet.actions()).toEqual(['bet', 'win']);
    expect((await player.state()).body).toMatchObject({ next_round: 2 });
  });

  it('a round is refused if its number was used with a different stake or field', async () => {
    const { wallet, player } = await givenPlayer();
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

  it('a round does not start while the previous round is running', async () => {
    const endTimeout = holdTimeouts();
    const { wallet, player } = await givenPlayer({ waitsMs: [] });
    wallet.behaviours = ['hang', 'answer'];
    const running = player.spin(onRed);
    await until(() => wallet.received.length === 1);
    const second = await player.spin({ ...onRed, round: 2 });
    expect([second.status, second.body]).toMatchObject([409, { code: 'round_in_progress' }]);
    endTimeout();
    expect((await running).status).toBe(503);
  });

  it.each([
    ['a stake that is not offered', { ...onRed, bet_minor: 33 }],
    ['an unknown field', { ...onRed, field: 'n37' }],
    ['no field although one is required', { round: 1, bet_minor: 100 }],
    ['a negative stake', { ...onRed, bet_minor: -100 }],
  ])('a round with %s is refused, and no callback is sent', async (_title, order) => {
    const { wallet, player } = await givenPlayer();
    expect((await player.spin(order)).status).toBe(400);
    expect(wallet.received).toEqual([]);
  });
});

describe('an error that the player gets', () => {
  it('a stake above the balance is refused, and the error contains the balance', async () => {
    const { wallet, player, provider } = await givenPlayer();
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

  it('a round is refused if the session has expired', async () => {
    let passedMs = 0;
    const { wallet, player } = await givenPlayer({ now: () => Date.now() + passedMs });
    passedMs = 3_600_000;
    const { status, body } = await player.spin(onRed);
    expect([status, body]).toMatchObject([403, { code: 'session_expired' }]);
    expect(wallet.received).toEqual([]);
    passedMs += 120_000;
    expect((await player.spin(onRed)).status).toBe(410);
  });

  it('the round is rolled back if the wallet is unreachable', async () => {
    const { wallet, player, provider } = await givenPlayer();
    wallet.behaviours = ['lost', 'lost', 'lost', 'lost', 'answer'];
    const { status, body } = await player.spin(onRed);
    expect([status, body]).toMatchObject([503, { code: 'wallet_unreachable' }]);
    await settled(provider);
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'bet', 'rollback']);
    expect(wallet.balance).toBe(100);
    const next = await player.spin({ ...onRed, round: 2 });
    expect(next.status).toBe(200);
  });
});

it('a demo round changes a play balance of 1,000 and sends no callback', async () => {
  const { wallet, player } = await givenPlayer(drawing(3), { mode: 'demo' });
  expect((await player.state()).body).toMatchObject({ balance: 1000, mode: 'demo' });
  expect((await player.spin(onRed)).body).toMatchObject({ balance: 1001, win_minor: 200 });
  expect((await player.spin({ ...onRed, round: 2, field: 'even' })).body).toMatchObject({
    balance: 1000,
  });
  expect(wallet.received).toEqual([]);
});

it('a spin without the cookie of the session is refused', async () => {
  const { player, wallet } = await givenPlayer();
  const answer = await fetch(`${player.gameUrl}/api/spin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(onRed),
  });
  expect(answer.status).toBe(410);
  expect(wallet.received).toEqual([]);
});
