// Callers that never rest: credits, debits, bets with their wins and rollbacks, reads in between.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestRun } from '../environment/test-run.ts';
import type { Random } from '../random.ts';
import type { Order } from './order.ts';

export interface Load {
  /** Lets each caller bring its last order to an end. */
  stop(): Promise<void>;
  /** Resolves when so many more orders have been acknowledged. */
  passes(acknowledged: number): Promise<void>;
}

export interface LoadOptions {
  readonly callers?: number;
  /** Orders that one caller sends one after the other, as long as they are acknowledged. */
  readonly makeStory?: (testRun: TestRun, random: Random, n: number) => Order[];
  /** A pause of every caller between two stories. */
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
  // Whoever waits for the end hears of a failure; nobody else must.
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

/** Odd amounts, so that hardly two moments of an account show the same balance. */
function makeMixedStory(testRun: TestRun, random: Random, n: number): Order[] {
  const player = random.pick(testRun.players);
  const about = { packageId: testRun.id, player } as const;
  const amountMinor = BigInt(random.between(1, 2000));
  const turn = random.below(10);
  if (turn < 4) return [{ ...about, kind: 'credit', id: `c${n}`, amountMinor }];
  if (turn < 6) return [{ ...about, kind: 'debit', id: `c${n}`, amountMinor: amountMinor * 4n }];
  const round = `r${n}`;
  const bet: Order = { ...about, kind: 'bet', id: `b${n}`, amountMinor, round };
  if (turn < 8) {
    const won = { amountMinor: amountMinor + 1n, reference: bet.id, round };
    return [bet, { ...about, kind: 'win', id: `w${n}`, ...won }];
  }
  return [bet, { ...about, kind: 'rollback', id: `k${n}`, reference: bet.id, round }];
}
