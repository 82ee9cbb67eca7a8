// The provider is down, stalls, sends wrong data and floods the wallet while callers move money.
import { setTimeout as sleep } from 'node:timers/promises';
import { recordPackageChange } from '@counterfoil/wallet-server/packages/lock-package';
import { type GameTrafficTally, startGameTraffic } from '../../environment/game-traffic.ts';
import { type ProviderProcess, startProvider } from '../../environment/provider.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { TestRun } from '../../environment/test-run.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, type Figure, toResult } from '../../fault.ts';
import { playRounds, roundFundsMinor } from './provider-rounds.ts';

const both = (fault: string) => ({ private: fault, public: fault, shared: fault });

/** The faults of the provider's APIs. The test causes one fault after another. */
const orders = [
  both('unavailable'),
  both('down'),
  both('stall'),
  both('drip'),
  both('html'),
  both('empty'),
  both('shrunk'),
  both('huge'),
  { ...both('stall'), public: null },
];

const lobbyDeadlineMs = 5000;

/** The provider can send callbacks only after the wallet has registered the package with it. */
async function waitForRegistration(
  environment: TestEnvironment,
  provider: ProviderProcess,
  { id: packageId, uid, players }: TestRun,
): Promise<void> {
  const body = { action: 'balance', player_id: players[0] };
  const target = { packageId, uid, actor: { kind: 'operator' }, at: new Date() } as const;
  await environment.db.transaction((tx) => recordPackageChange(tx, target, { action: 'package_edited' }));
  for (let waits = 0; waits < 100; waits++) {
    const received = await provider.flood(uid, body, 1).catch(() => ({}));
    if ('accepted 200' in received) return;
    await sleep(200);
  }
  throw new Error('the package was not registered with the provider');
}

export const providerFaults: Fault = {
  name: 'provider-faults',
  group: 'callers',
  does: 'the provider is down, stalls, sends wrong data, repeats, loses and floods callbacks, and is killed',
  environment: { services: 0 },
  run: async (environment) => {
    const provider = await startProvider(environment);
    const service = await environment.addService({ env: provider.env });
    let lobby: GameTrafficTally | undefined;
    let rounds: readonly Figure[] = [];
    const verdict = await underLoad(environment, async (testRun, load) => {
      const players = await environment.openTestRun({ players: 8, fundsMinor: roundFundsMinor });
      for (const each of [testRun, players]) await waitForRegistration(environment, provider, each);
      const traffic = startGameTraffic(testRun, service.url);
      for (const order of orders) {
        await provider.order(order);
        await Promise.all([sleep(environment.size(12_000, 3000)), seePasses(load, 20)]);
      }
      await provider.order({});
      const table = { environment, provider, testRun: players, url: service.url };
      [rounds] = await Promise.all([playRounds(table), seePasses(load, 20)]);
      await provider.process.end('SIGKILL');
      await Promise.all([sleep(2000), seePasses(load, 20)]);
      await provider.process.start();
      lobby = await traffic.stop();
    });
    environment.say(`slowest in the lobby: ${lobby?.slowest}`);
    for (const odd of new Set(lobby?.odd)) environment.say(`answered in the lobby: ${odd}`);
    return toResult(
      [verdict],
      [
        { label: 'lists', value: lobby?.lists ?? 0, atLeast: 10 },
        { label: 'launches', value: lobby?.launches ?? 0, atLeast: 5 },
        {
          label: 'slowest list or launch',
          value: Math.round(lobby?.slowestMs ?? 0),
          unit: 'ms',
          atMost: lobbyDeadlineMs,
        },
        { label: 'wrong answers in the lobby', value: lobby?.odd.length ?? 1, atMost: 0 },
        ...rounds,
      ],
    );
  },
};
