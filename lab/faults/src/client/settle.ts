// Repeats each order with the same id until it has a definite answer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Client } from './client.ts';
import { type Answer, isDefinite, type Order, type Outcome } from './order.ts';

export interface Settler {
  /**
   * Repeats the order until an answer is definite, and returns that answer. Returns undefined if no answer is
   * definite within `patienceMs`. With `givesUp`, also returns undefined when an attempt is turned away,
   * unless the outcome of an earlier attempt is unknown.
   */
  settle(order: Order, options?: { givesUp?: boolean }): Promise<Outcome | undefined>;
  /** Sends one attempt to a wallet process that is chosen at random. */
  sendOnce(order: Order): Promise<Answer>;
  readBalance(order: Pick<Order, 'packageId' | 'player'>): Promise<bigint | undefined>;
  /** Sends each order that ever had an unknown outcome two more times, with the same id. */
  resolveUnknowns(): Promise<void>;
  readonly counts: { acknowledged: number; refused: number; unknown: number; turnedAway: number };
}

/**
 * This time is longer than any fault lasts. An order whose outcome is still unknown after this time fails the
 * check of unknown outcomes.
 */
const patienceMs = 120_000;
const pauseMs = 40;
const resolvers = 16;

export function createSettler(options: {
  client: Client;
  urls: () => readonly string[];
  random: Random;
}): Settler {
  const { client, urls, random } = options;
  const unknowns = new Set<Order>();
  const counts = { acknowledged: 0, refused: 0, unknown: 0, turnedAway: 0 };

  const sendOnce = async (order: Order): Promise<Answer> => {
    const answer = await client.send(random.pick(urls()), order);
    if (answer.outcome.kind === 'unknown') unknowns.add(order);
    if (answer.outcome.kind === 'turned_away') counts.turnedAway++;
    else counts[answer.outcome.kind]++;
    return answer;
  };

  const settle: Settler['settle'] = async (order, { givesUp = false } = {}) => {
    let mayBeApplied = false;
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
      const { outcome } = await sendOnce(order);
      if (isDefinite(outcome)) return outcome;
      if (outcome.kind === 'unknown') mayBeApplied = true;
      else if (givesUp && !mayBeApplied) return undefined;
      await sleep(pauseMs);
    }
    return undefined;
  };

  return {
    settle,
    sendOnce,
    counts,
    readBalance: (order) => client.readBalance(random.pick(urls()), order),
    resolveUnknowns: async () => {
      const waiting = [...unknowns];
      const resolve = async () => {
        for (let order = waiting.pop(); order; order = waiting.pop()) {
          await settle(order);
          await settle(order);
        }
      };
      await Promise.all(Array.from({ length: resolvers }, resolve));
    },
  };
}
