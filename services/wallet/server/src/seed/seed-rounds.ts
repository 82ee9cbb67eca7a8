// The first rounds of a demo player: won, lost and rolled back. Together they leave the balance unchanged.
import type { PlayCallback } from '../callbacks/callback.ts';
import { toCommand } from '../callbacks/to-command.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';

export async function seedRounds(
  ledger: Ledger,
  given: { packageId: number; account: bigint; playerId: string; unit: bigint },
): Promise<void> {
  const { packageId, account, playerId, unit } = given;
  const game = { playerId, gameId: 'demo-slot', roundFinished: false, sessionId: undefined };
  const inRound = (n: number) => ({ ...game, roundId: `demo-round-${n}` });
  const id = (name: string) => ({ transactionId: `demo-${name}` });
  const callbacks: PlayCallback[] = [
    { ...inRound(1), action: 'bet', ...id('bet-1'), amount: 2n * unit },
    {
      ...inRound(1),
      action: 'win',
      ...id('win-1'),
      amount: 3n * unit,
      reference: 'demo-bet-1',
      roundFinished: true,
    },
    { ...inRound(2), action: 'bet', ...id('bet-2'), amount: unit, roundFinished: true },
    { ...inRound(3), action: 'bet', ...id('bet-3'), amount: 2n * unit },
    { ...inRound(3), action: 'rollback', ...id('rollback-3'), reference: 'demo-bet-3' },
  ];
  for (const callback of callbacks) {
    const command = toCommand(callback, account, undefined);
    await ledger.submit({ packageId, overdraftLimit: 0n, command });
  }
}
