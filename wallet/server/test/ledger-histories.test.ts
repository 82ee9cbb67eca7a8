// Two ledgers on one database under 64 callers: every answer fits the journal's one order of events.
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runningBeside } from '@counterfoil/kit/testing/running-beside';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ledger, Order } from '../src/ledger/ledger.ts';
import { selectAccountsBehind } from '../src/players/store.ts';
import { type Answered, answerOf, type Ledgers, openLedgers } from './ledgers.ts';
import { createRandom, seedOfRun } from './model/random.ts';
import { expectTrueBooks, play, type Stage, setStages } from './stages.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

const apart = { onePackagePerBatch: true };
const small = { maxAccounts: 12, maxMovements: 8, maxBatch: 3 };
const forgetful = { maxAccounts: 7, maxMovements: 8 };

it.each([
  { name: 'large batches', options: [{}, {}], length: 500 },
  { name: 'batches of seven', options: [{ maxBatch: 7 }, { maxBatch: 5 }], length: 300 },
  { name: 'one package per batch', options: [apart, apart], length: 300 },
  { name: 'one package per batch beside any', options: [apart, {}], length: 300 },
  { name: 'hardly any memory', options: [forgetful, forgetful], length: 300 },
  { name: 'accounts read beside', options: [{}, {}], length: 500, reads: true },
  {
    name: 'accounts read beside, little memory',
    options: [small, small],
    length: 300,
    reads: true,
  },
  { name: 'accounts read beside a process alone', options: [small], length: 300, reads: true },
])('answers and books agree with the model: $name', { timeout: 60_000 }, async (variant) => {
  const seed = seedOfRun();
  const random = createRandom(seed);
  const stages = await setStages(ledgers, random, variant.length);
  const two = variant.options.map((options) => ledgers.open(options));
  const doors = two.map((ledger) => (order: Order) => answerOf(ledger.submit(order)));
  const reading = 'reads' in variant ? readBeside(two, stages) : undefined;
  let offers = 0;
  try {
    await play(random, stages, doors);
  } finally {
    offers = (await reading?.stop()) ?? 0;
  }
  if (reading) expect(offers).toBeGreaterThan(0);
  await expectTrueBooks(ledgers, stages, `TEST_SEED=${seed} (timing matters too)`);
  if (two.length > 1) expect(two.every((ledger) => ledger.counters.stale > 0)).toBe(true);
});

/** Reads all accounts over and over and offers them late, when many have moved; how often, it tells. */
function readBeside(given: readonly Ledger[], stages: readonly Stage[]) {
  const isDone = new AbortController();
  const readOne = async (ledger: Ledger, packageId: number, delayMs: number) => {
    let offers = 0;
    while (!isDone.signal.aborted) {
      await ledger.readHead(packageId);
      const keep = ledger.beginReading(packageId);
      const wanted = { packageId, after: 0n, limit: 1000 };
      const found = await selectAccountsBehind(ledgers.db, wanted);
      await sleep(delayMs);
      keep(found);
      offers++;
    }
    return offers;
  };
  const readers = given.flatMap((ledger, i) =>
    stages.map(({ packageId }, j) => readOne(ledger, packageId, (i * 3 + j * 5) % 14)),
  );
  const running = runningBeside(readers);
  return {
    stop: async () => {
      isDone.abort();
      return Math.min(...(await running));
    },
  };
}

/** A ledger in a process of its own, asked over its channel. */
async function startProcess(url: string) {
  const path = fileURLToPath(new URL('./ledger-process.mjs', import.meta.url));
  const child = fork(path, [url], { serialization: 'advanced', execArgv: [] });
  const asked = new Map<number, (answered: Answered) => void>();
  const started = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)));
    child.on('message', (message: { id: number; answered: Answered } | 'ready') => {
      if (message === 'ready') return resolve();
      asked.get(message.id)?.(message.answered);
      asked.delete(message.id);
    });
  });
  await started;
  let last = 0;
  return {
    pid: child.pid,
    submit: (order: Order) =>
      new Promise<Answered>((resolve) => {
        asked.set(++last, resolve);
        child.send({ id: last, order });
      }),
    stop: () => child.kill(),
  };
}

it('answers and books agree with the model: two processes', { timeout: 60_000 }, async () => {
  const seed = seedOfRun();
  const random = createRandom(seed);
  const stages = await setStages(ledgers, random, 300);
  const two = await Promise.all([startProcess(ledgers.url), startProcess(ledgers.url)]);
  try {
    expect(new Set([process.pid, ...two.map((each) => each.pid)]).size).toBe(3);
    await play(
      random,
      stages,
      two.map((each) => each.submit),
    );
  } finally {
    for (const each of two) each.stop();
  }
  await expectTrueBooks(ledgers, stages, `TEST_SEED=${seed} (timing matters too)`);
});
