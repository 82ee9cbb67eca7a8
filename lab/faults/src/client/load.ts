// Simulates callers that send without pause: credits, debits, bets with wins or rollbacks, and reads.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestRun } from '../environment/test-run.ts';
import type { Random } from '../random.ts';
import type { Order } from './order.ts';

export interface Load {
  /** Tells the callers to stop, and resolves when each caller has finished its current sequence of orders. */
  stop(): Promise<void>;
  /** Resolves when this number of orders has been acknowledged since the call. */
  passes(acknowledged: number): Promise<void>;
}

export interface LoadOptions {
  readonly callers?: number;
  /**
   * Returns the orders that one caller sends in sequence. If an order is not acknowledged, the caller skips
   * the rest of this sequence and continues with the next sequence.
   */
  readonly makeStory?: (testRun: TestRun, random: Random, n: number) => Order[];
  /** The pause of each caller between two sequences of orders. */
  readonly pauseMs?: number;
}

export function startLoad(testRun: TestRun, random: Random, options: LoadOptions = {}): Load {
  const { callers = 48, makeStory = makeMixedStory, pauseMs = 0 } = options;
  let stopping = false;
  let stories = 0;
  const { settler } = testRun;
  const caller = async () => {
    while (!stopping) {
      const story = makeStory(testRun, random, ++stories);
      for (const order of story) {
        const givesUp = random.below(20) === 0;
        const outcome = await settler.settle(order, { givesUp });
        if (random.below(8) === 0) await settler.readBalance(order);
        if (outcome?.kind !== 'acknowledged') break;
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, caller));
  // `stop` reports a failure of a caller. Without this line, the failure would be an unhandled rejection
  // until `stop` is called.
  running.catch(() => {});
  return {
    stop: async () => {
      stopping = true;
      await running;
    },
    passes: async (acknowledged) => {
      const wanted = settler.counts.acknowledged + acknowledged;
      while (settler.counts.acknowledged < wanted) {
        await Promise.race([sleep(5), running.then(() => sleep(5))]);
      }
    },
  };
}

/** Creates orders with irregular amounts, so that a balance rarely occurs twice in an account. */
function makeMixedStory(testRun: TestRun, random: Random, n: number): Order[] {
  const player = random.pick(testRun.players);
  const about = { packageId: testRun.id, player } as const;
  const amountMinor = BigInt(random.between(1, 2000));
  const choice = random.below(10);
  if (choice < 4) return [{ ...about, kind: 'credit', id: `c${n}`, amountMinor }];
  if (choice < 6) return [{ ...about, kind: 'debit', id: `c${n}`, amountMinor: amountMinor * 4n }];
  const round = `r${n}`;
  const bet: Order = { ...about, kind: 'bet', id: `b${n}`, amountMinor, round };
  if (choice < 8) {
    const won = { amountMinor: amountMinor + 1n, reference: bet.id, round };
    return [bet, { ...about, kind: 'win', id: `w${n}`, ...won }];
  }
  return [bet, { ...about, kind: 'rollback', id: `k${n}`, reference: bet.id, round }];
}
