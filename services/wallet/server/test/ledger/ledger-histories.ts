// Plays random histories to ledgers on one database, and compares every answer and row with the model.
import { runningBeside } from '@counterfoil/kit/testing/eventually';
import { expect, vi } from 'vitest';
import type { Ledger, LedgerOptions, Order } from '../../src/ledger/engine/ledger.ts';
import { selectAccountsBehind } from '../../src/players/store.ts';
import {
  expectTrueBooks,
  listMissing,
  play,
  type Stage,
  setStages,
} from '../environment/stages.ts';
import { type Answered, answerOf, type Ledgers } from './ledgers.ts';
import { createRandom, seedOfRun } from './model/random.ts';

const apart = { onePackagePerBatch: true };
const small = { maxAccounts: 12, maxMovements: 8, maxBatch: 3 };
const forgetful = { maxAccounts: 7, maxMovements: 8, maxBatch: 2 };
const overfull = { maxAccounts: 3, maxMovements: 8 };

export interface Variant {
  readonly name: string;
  readonly options: readonly Omit<LedgerOptions, 'db'>[];
  /** Accounts are read and offered to the ledgers while they write. */
  readonly reads?: boolean;
  /** Most batches find their memory gone, and take several round trips each. */
  readonly isForgetful?: boolean;
  /** What every ledger of several must have met at least once: a lost race, unless said otherwise. */
  readonly meets?: 'stale' | 'locked';
}

export const variants: readonly Variant[] = [
  { name: 'large batches', options: [{}, {}] },
  { name: 'batches of seven', options: [{ maxBatch: 7 }, { maxBatch: 5 }] },
  { name: 'one package per batch', options: [apart, apart] },
  { name: 'one package per batch beside any', options: [apart, {}] },
  { name: 'hardly any memory', options: [forgetful, forgetful], isForgetful: true },
  {
    name: 'batches larger than memory',
    options: [overfull, overfull],
    isForgetful: true,
    meets: 'locked',
  },
  { name: 'accounts read beside', options: [{}, {}], reads: true },
  {
    name: 'accounts read beside, little memory',
    options: [small, small],
    reads: true,
    isForgetful: true,
  },
  {
    name: 'accounts read beside a process alone',
    options: [small],
    reads: true,
    isForgetful: true,
  },
];

/**
 * Three histories of that length at a time, until each ledger has met what its variant is about and
 * the answers that matter were among those of one time.
 */
export async function playVariant(
  ledgers: Ledgers,
  { options, reads, meets = 'stale' }: Variant,
  length: number,
): Promise<void> {
  const seed = seedOfRun();
  const random = createRandom(seed);
  const opened = options.map((each) => ledgers.open(each));
  const isContended = () =>
    opened.length === 1 || opened.every((ledger) => ledger.counters[meets] > 0);
  let isMet = false;
  for (let times = 0; !isMet || !isContended(); times++) {
    expect(times).toBeLessThan(20);
    const stages = await setStages(ledgers, random, length);
    const doors = opened.map((ledger) => (order: Order) => answerOf(ledger.submit(order)));
    const reading = reads ? readBeside(ledgers, opened, stages) : undefined;
    try {
      await play(random, stages, reading ? doors.map(reading.follow) : doors);
    } finally {
      await reading?.stop();
    }
    await expectTrueBooks(ledgers, stages, `TEST_SEED=${seed} (timing matters too)`);
    isMet ||= listMissing(stages).length === 0;
  }
}

type Door = (order: Order) => Promise<Answered>;

/**
 * Reads all accounts over and over, and offers them after up to 13 more orders were answered. Half of
 * the orders wait until everything that is read was offered once.
 */
function readBeside(ledgers: Ledgers, opened: readonly Ledger[], stages: readonly Stage[]) {
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
      const keep = ledger.beginReading(packageId);
      const wanted = { packageId, after: 0n, limit: 1000 };
      const found = await selectAccountsBehind(ledgers.db, wanted);
      const until = answered + lag;
      await vi.waitUntil(() => isDone || sent >= half || answered >= until, {
        ...{ interval: 1, timeout: 180_000 },
      });
      keep(found);
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
      (door: Door): Door =>
      async (order) => {
        if (++sent >= half) await Promise.race([offered, running]);
        const said = await door(order);
        answered++;
        return said;
      },
    stop: async () => {
      isDone = true;
      await running;
    },
  };
}
