// Sends a bet, its win, its rollback and repeats to two processes: in every sequence, and all at the same
// time.
import type { Order, Outcome } from '../../client/order.ts';
import type { TestRun } from '../../environment/test-run.ts';
import { type Fault, toResult } from '../../fault.ts';

const betMinor = 4_00n;
const wonMinor = 7_00n;

type Step = 'bet' | 'win' | 'rollback';
const steps: readonly Step[] = ['bet', 'bet', 'win', 'win', 'rollback', 'rollback'];

/** All distinct permutations of the list. */
function ordersOf(list: readonly Step[]): Step[][] {
  if (list.length === 0) return [[]];
  return [...new Set(list)].flatMap((first) => {
    const rest = [...list];
    rest.splice(rest.indexOf(first), 1);
    return ordersOf(rest).map((order) => [first, ...order]);
  });
}

/** The result of each step according to the API contract. */
export function predictResults(order: readonly Step[]): string[] {
  let bet: 'unseen' | 'open' | 'settled' | 'rolled back' | 'tombstoned' = 'unseen';
  const results = new Map<Step, string>();
  return order.map((step) => {
    const before = results.get(step);
    if (before !== undefined) return before;
    if (step === 'bet') {
      if (bet === 'tombstoned') return 'bet_rolled_back';
      bet = 'open';
    } else if (step === 'win') {
      if (bet === 'unseen') return 'bet_not_found';
      if (bet === 'rolled back' || bet === 'tombstoned') return 'bet_rolled_back';
      bet = 'settled';
    } else {
      if (bet === 'settled') return 'bet_already_settled';
      const word = bet === 'unseen' ? 'tombstoned' : 'rolled_back';
      bet = bet === 'unseen' ? 'tombstoned' : 'rolled back';
      results.set(step, word);
      return word;
    }
    results.set(step, 'applied');
    return 'applied';
  });
}

const wordOf = (outcome: Outcome | undefined): string =>
  outcome?.kind === 'acknowledged'
    ? (outcome.result ?? 'acknowledged')
    : outcome?.kind === 'refused'
      ? outcome.code
      : 'nothing';

function makeOrder(testRun: TestRun, player: string, { step, n }: { step: Step; n: number }): Order {
  const about = { packageId: testRun.id, player, round: `r${n}` };
  const reference = `b${n}`;
  if (step === 'bet') return { ...about, kind: 'bet', id: reference, amountMinor: betMinor };
  if (step === 'win') return { ...about, kind: 'win', id: `w${n}`, amountMinor: wonMinor, reference };
  return { ...about, kind: 'rollback', id: `k${n}`, reference };
}

export const callbackOrders: Fault = {
  name: 'callback-orders',
  group: 'callers',
  does: 'a bet, its win, its rollback and a repeat of each, in every order and all at once',
  environment: { services: 2 },
  run: async (environment) => {
    const testRun = await environment.openTestRun({ players: 64, fundsMinor: 1_000_000_00n });
    const orders = ordersOf(steps);
    const rounds = environment.size(40, 1);
    let n = 0;
    let surprises = 0;
    const playInSequence = async (order: readonly Step[], round: number) => {
      const player = environment.random.pick(testRun.players);
      const wanted = predictResults(order);
      for (const [i, step] of order.entries()) {
        const sent = makeOrder(testRun, player, { step, n: round });
        const got = wordOf(await testRun.settler.settle(sent));
        if (got === wanted[i]) continue;
        surprises++;
        environment.say(`${order.join(' ')}: ${step} got ${got}, wanted ${wanted[i]}`);
      }
    };
    const playAtOnce = async (order: readonly Step[], round: number) => {
      const player = environment.random.pick(testRun.players);
      const send = (step: Step) => testRun.settler.settle(makeOrder(testRun, player, { step, n: round }));
      const words = (await Promise.all(order.map(send))).map(wordOf);
      const at = (step: Step) => words.filter((_, i) => order[i] === step);
      // A bet must never be both won and rolled back.
      if (at('win').includes('applied') && at('rollback').includes('rolled_back')) surprises++;
    };
    const waiting = Array.from({ length: rounds }, () => orders).flat();
    const player = async () => {
      for (let order = waiting.pop(); order; order = waiting.pop()) {
        await playInSequence(order, ++n);
        await playAtOnce(order, ++n);
      }
    };
    await Promise.all(Array.from({ length: 16 }, player));
    return toResult(
      [await testRun.finish()],
      [
        { label: 'orders played', value: n },
        { label: 'answers that differ from the contract', value: surprises, atMost: 0 },
      ],
    );
  },
};
