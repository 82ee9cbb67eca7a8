// Plays long histories on several ledgers and on two processes. The answers must agree with the order of the
// journal.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Order } from '../../src/ledger/engine/ledger.ts';
import { expectTrueBooks, listMissing, play, setStages } from '../environment/stages.ts';
import { playVariant, variants } from './ledger-histories.ts';
import { type Answered, type Ledgers, openLedgers } from './ledgers.ts';
import { createRandom } from './model/random.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

it.each(variants)('the answers to 300 orders and the stored rows agree with the model: $name', (variant) =>
  playVariant(ledgers, variant, 300),
);

/** A ledger in a separate process, called over its IPC channel. */
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

it('the answers of two processes and the stored rows agree with the model', async () => {
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
  expect(listMissing(stages)).toEqual([]);
});
