// Signed and encrypted callbacks. The test wallet verifies them with a second implementation of the contract.
import { describe, expect, it } from 'vitest';
import { drawing, givenPlayer, onRed, register, settled } from './given.ts';

describe.each(['signed', 'encrypted'] as const)('callbacks with the security %s', (security) => {
  async function givenSecured() {
    const given = await givenPlayer(drawing(3));
    given.wallet.security = security;
    await register(given.provider, given.wallet);
    return given;
  }

  it('callbacks are accepted by the wallet, and the provider accepts the answers of the wallet', async () => {
    const { wallet, player } = await givenSecured();
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['bet', 'win']);
    expect(wallet.received[0]?.headers['x-api-secret']).toBe('gps_test');
    if (security === 'encrypted') expect(wallet.received[0]?.raw).not.toContain('player_id');
  });

  it('a bet that the wallet refuses is not sent again', async () => {
    const { wallet, player } = await givenSecured();
    wallet.balance = 0;
    expect((await player.spin(onRed)).body).toMatchObject({ code: 'insufficient_funds' });
    expect(wallet.actions()).toEqual(['bet']);
  });

  it('a bet that gets forged answers is sent again, and is rolled back after the last attempt', async () => {
    const { wallet, player, provider } = await givenSecured();
    wallet.behaviours = ['forged', 'forged', 'forged', 'forged', 'answer'];
    expect((await player.spin(onRed)).status).toBe(503);
    await settled(provider);
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'bet', 'rollback']);
    expect(wallet.balance).toBe(100);
  });
});
