// Signed and encrypted callbacks, opened and answered by code written from the contract alone.
import { describe, expect, it } from 'vitest';
import { control, register, sitDown, startProvider, startWallet } from './given.ts';

const onRed = { round: 1, bet_minor: 100, field: 'red' };

describe.each(['signed', 'encrypted'] as const)('%s callbacks', (security) => {
  async function seat() {
    const wallet = await startWallet();
    wallet.security = security;
    const provider = await startProvider({ draw: () => 3 });
    await register(provider, wallet);
    return { wallet, provider, player: await sitDown(provider, { game_id: 'harbour-roulette' }) };
  }

  it('verify at the wallet, and its answers verify here', async () => {
    const { wallet, player } = await seat();
    expect((await player.spin(onRed)).body).toMatchObject({ balance: 101, settled: true });
    expect(wallet.actions()).toEqual(['bet', 'win']);
    expect(wallet.received[0]?.headers['x-api-secret']).toBe('gps_test');
    if (security === 'encrypted') expect(wallet.received[0]?.raw).not.toContain('player_id');
  });

  it('believe a refusal that verifies', async () => {
    const { wallet, player } = await seat();
    wallet.balance = 0;
    expect((await player.spin(onRed)).body).toMatchObject({ code: 'insufficient_funds' });
    expect(wallet.actions()).toEqual(['bet']);
  });

  it('take an answer that does not verify for none: the bet goes back', async () => {
    const { wallet, player, provider } = await seat();
    wallet.manners = ['forged', 'forged', 'forged', 'forged', 'answer'];
    expect((await player.spin(onRed)).status).toBe(503);
    let pending = 1;
    while (pending > 0) {
      pending = ((await control(provider, 'deliveries')).body as { pending: [] }).pending.length;
    }
    expect(wallet.actions()).toEqual(['bet', 'bet', 'bet', 'bet', 'rollback']);
    expect(wallet.balance).toBe(100);
  });
});
