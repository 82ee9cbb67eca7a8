// Plays random histories on several ledgers of one database, and compares every answer and row with the
// model.
import { runningBeside } from '@counterfoil/kit/testing/eventually';
import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { expect, vi } from 'vitest';
import type { Ledger, LedgerOptions, Order } from '../../src/ledger/engine/ledger.ts';
import { promoAccountOf } from '../../src/ledger/rules/movement.ts';
import { selectNewestPlayers } from '../../src/players/queries.ts';
import { expectTrueBooks, listMissing, play, type Stage, setStages } from '../environment/stages.ts';
import { type Answered, answerOf, type Ledgers } from './ledgers.ts';
import { createRandom } from './model/random.ts';

const apart = { onePackagePerBatch: true };
const small = { maxAccounts: 12, maxMovements: 8, maxBatch: 3 };
const tiny = { maxAccounts: 7, maxMovements: 8, maxBatch: 2 };
const overfull = { maxAccounts: 3, maxMovements: 8 };

export interface Variant {
  readonly name: string;
  readonly options: readonly Omit<LedgerOptions, 'db'>[];
  /** Whether the test reads accounts into the caches of the ledgers while the ledgers write. */
  readonly reads?: boolean;
  /** Whether the cache is so small that most batches must read from the database first. */
  readonly hasTinyCache?: boolean;
  /**
   * The counter that each ledger must raise if there are several ledgers. The default `stale` counts the
   * batches that were decided on an outdated journal head.
   */
  readonly meets?: 'stale' | 'locked';
  /** Whether only the slow suite plays this variant. */
  readonly isSlow?: boolean;
}

export const variants: readonly Variant[] = [
  { name: 'large batches', options: [{}, {}] },
  { name: 'batches of seven', options: [{ maxBatch: 7 }, { maxBatch: 5 }], isSlow: true },
  { name: 'one package per batch', options: [apart, apart] },
  {
    name: 'one package per batch in one process, and several in another',
    options: [apart, {}],
    isSlow: true,
  },
  { name: 'a tiny cache', options: [tiny, tiny], hasTinyCache: true },
  {
    name: 'batches larger than the cache',
    options: [overfull, overfull],
    hasTinyCache: true,
  },
  { name: 'accounts read during writes', options: [{}, {}], reads: true, isSlow: true },
  {
    name: 'accounts read during writes, small cache',
    options: [small, small],
    reads: true,
    hasTinyCache: true,
  },
  {
    name: 'accounts read during writes, one process',
    options: [small],
    reads: true,
    hasTinyCache: true,
    isSlow: true,
  },
];

/**
 * Runs three concurrent histories of this length, and repeats this at most 20 times. Ends when one run
 * contained every required answer and the counter `meets` of every ledger is above zero. With only one
 * ledger, the counter is ignored.
 */
export async function playVariant(
  ledgers: Ledgers,
  { options, reads, meets = 'stale' }: Variant,
  length: number,
): Promise<void> {
  const seed = seedOfRun();
  const random = createRandom(seed);
  const opened = options.map((each) => ledgers.open(each));
  const isContended = () => opened.length === 1 || opened.every((ledger) => ledger.counters[meets] > 0);
  let isMet = false;
  for (let times = 0; !isMet || !isContended(); times++) {
    expect(times).toBeLessThan(20);
    const stages = await setStages(ledgers, random, length);
    const senders = opened.map((ledger) => (order: Order) => answerOf(ledger.submit(order)));
    const reading = reads ? readMeanwhile(ledgers, opened, stages) : undefined;
    try {
      await play(random, stages, reading ? senders.map(reading.follow) : senders);
    } finally {
      await reading?.stop();
    }
    await expectTrueBooks(ledgers, stages, `TEST_SEED=${seed} (timing matters too)`);
    isMet ||= listMissing(stages).length === 0;
  }
}

type Send = (order: Order) => Promise<Answered>;

/**
 * Reads all accounts repeatedly. Passes each result to the ledger's cache after up to 13 more orders were
 * answered, so that the result may be outdated. The second half of the orders waits until every account was
 * passed once.
 */
function readMeanwhile(ledgers: Ledgers, opened: readonly Ledger[], stages: readonly Stage[]) {
  const half = stages.reduce((sum, { commands }) => sum + commands.length, 0) / 2;
  let [sent, answered, readers, isDone] = [0, 0, 0, false];
  let isOffered: () => void = () => undefined;
  const offered = new Promise<void>((resolve) => {
    isOffered = resolve;
  });
  const readOne = async (ledger: Ledger, packageId: number, lag: number) => {
    readers++;
    for (let offers = 0; offers === 0 || !isDone; offers++) {
      await ledger.readHead(packageId);
      const storeRead = ledger.beginReading(packageId);
      const wanted = { packageId, before: promoAccountOf(0n), movedUpTo: 10n ** 15n, limit: 1000 };
      const found = await selectNewestPlayers(ledgers.db, wanted);
      const until = answered + lag;
      await vi.waitUntil(() => isDone || sent >= half || answered >= until, {
        interval: 1,
        timeout: 180_000,
      });
      storeRead(found);
      if (offers === 0 && --readers === 0) isOffered();
    }
  };
  const running = runningBeside(
    opened.flatMap((ledger, i) =>
      stages.map(({ packageId }, j) => readOne(ledger, packageId, (i * 3 + j * 5) % 14)),
    ),
  );
  return {
    follow:
      (send: Send): Send =>
      async (order) => {
        if (++sent >= half) await Promise.race([offered, running]);
        const said = await send(order);
        answered++;
        return said;
      },
    stop: async () => {
      isDone = true;
      await running;
    },
  };
}
