// Sends many copies of each order to two processes at the same time, some with a different amount under the
// same id.
import type { Order } from '../../client/order.ts';
import { type Fault, toResult } from '../../fault.ts';

const copies = 24;

export const duplicateStorm: Fault = {
  name: 'duplicate-storm',
  group: 'callers',
  does: 'every order is sent 24 times at once to two processes, some copies with another amount',
  environment: { services: 2 },
  run: async (environment) => {
    const orders = environment.size(2000, 60);
    const testRun = await environment.openTestRun({ players: 4 });
    let conflicts = 0;
    const storm = async (n: number) => {
      const player = environment.random.pick(testRun.players);
      const kind = environment.random.pick(['credit', 'debit', 'bet', 'win'] as const);
      const amountMinor = BigInt(environment.random.between(1, 3000));
      const order: Order = { packageId: testRun.id, kind, player, amountMinor, id: `s${n}` };
      const other = { ...order, amountMinor: amountMinor + 1n };
      const sent = Array.from({ length: copies }, (_, i) => (i % 8 === 7 ? other : order));
      const outcomes = await Promise.all(sent.map((each) => testRun.settler.settle(each)));
      conflicts += outcomes.filter((outcome) => isConflict(outcome)).length;
    };
    let next = 0;
    const stormer = async () => {
      for (let n = next++; n < orders; n = next++) await storm(n);
    };
    await Promise.all([stormer(), stormer(), stormer(), stormer()]);
    const verdict = await testRun.finish();
    return toResult(
      [verdict],
      [
        { label: 'copies', value: orders * copies },
        { label: 'conflicts refused', value: conflicts, atLeast: orders },
      ],
    );
  },
};

const isConflict = (outcome: { kind: string; code?: string } | undefined): boolean =>
  outcome?.kind === 'refused' && outcome.code === 'transaction_conflict';
