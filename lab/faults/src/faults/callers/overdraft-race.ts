// Sends debits and bets that compete for the same funds, through both APIs and to two processes.
import type { Order } from '../../client/order.ts';
import { type Fault, toResult } from '../../fault.ts';

const fundsMinor = 10_00n;
const racers = 32;

export const overdraftRace: Fault = {
  name: 'overdraft-race',
  group: 'callers',
  does: '32 debits and bets at once for funds that cover 10, through both APIs of two processes',
  environment: { services: 2 },
  run: async (environment) => {
    const players = environment.size(400, 20);
    const testRun = await environment.openTestRun({ players, fundsMinor });
    let won = 0;
    let others = 0;
    const race = async (player: string) => {
      const orders = Array.from({ length: racers }, (_, i): Order => {
        const kind = i % 2 === 0 ? 'debit' : 'bet';
        return { packageId: testRun.id, kind, player, amountMinor: 1_00n, id: `${player}-${i}` };
      });
      const outcomes = await Promise.all(orders.map((order) => testRun.settler.settle(order)));
      const count = outcomes.filter((outcome) => outcome?.kind === 'acknowledged').length;
      won += count;
      if (count !== Number(fundsMinor / 1_00n)) others++;
    };
    const waiting = [...testRun.players];
    const racer = async () => {
      for (let player = waiting.pop(); player; player = waiting.pop()) await race(player);
    };
    await Promise.all([racer(), racer(), racer()]);
    const verdict = await testRun.finish();
    return toResult(
      [verdict],
      [
        { label: 'races', value: players },
        {
          label: 'withdrawals acknowledged',
          value: won,
          atLeast: players * 10,
          atMost: players * 10,
        },
        { label: 'races with another result', value: others, atMost: 0 },
      ],
    );
  },
};
