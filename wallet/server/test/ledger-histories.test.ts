// Two ledgers on one database under 64 callers: every answer fits the journal's one order of events.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command } from '../src/ledger/command.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { answerOf, type Ledgers, openLedgers, wordOf } from './ledgers.ts';
import { makeHistory, type Space } from './model/histories.ts';
import { readBooks } from './model/journal.ts';
import { asBuilt } from './model/model.ts';
import { createRandom, type Random, seedOfRun } from './model/random.ts';
import { type Call, findFaults } from './model/replay.ts';

const most = 10n ** 15n - 1n;
const ids = Array.from({ length: 40 }, (_, i) => `${i}`);
const amounts = [...Array.from({ length: 20 }, (_, i) => BigInt(i + 1)), 500n, most];

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

interface Stage {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly calls: Call[];
  readonly commands: Command[];
}

async function setStage(random: Random, length: number): Promise<Stage> {
  const packageId = await ledgers.package();
  const accounts = [await ledgers.player(packageId), await ledgers.player(packageId)];
  const space: Space = { accounts, ids, rounds: ['r', 's', 't'], amounts };
  const commands = makeHistory(random, space, length);
  return { packageId, overdraftLimit: random.pick([0n, 30n]), calls: [], commands };
}

/** 64 callers take the next command of any package and send it to either ledger. */
async function play(random: Random, stages: readonly Stage[], processes: readonly Ledger[]) {
  let tick = 0;
  const waiting = stages.flatMap((stage) => stage.commands.map((command) => ({ stage, command })));
  const caller = async () => {
    while (waiting.length > 0) {
      const [next] = waiting.splice(random.below(Math.min(waiting.length, 200)), 1);
      if (!next) return;
      const { stage, command } = next;
      const { packageId, overdraftLimit } = stage;
      const sentAt = ++tick;
      const order = { packageId, overdraftLimit, command };
      const receipt = await answerOf(random.pick(processes).submit(order));
      if (typeof receipt === 'string') throw new Error(`no answer but ${receipt}`);
      stage.calls.push({ command, sentAt, answeredAt: ++tick, receipt });
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
}

const forgetful = { maxAccounts: 7, maxMovements: 8 };

it.each([
  { name: 'large batches', options: [{}, {}], length: 500 },
  { name: 'batches of seven', options: [{ maxBatch: 7 }, { maxBatch: 5 }], length: 300 },
  { name: 'one package per batch', options: [{ onePackagePerBatch: true }, {}], length: 300 },
  { name: 'hardly any memory', options: [forgetful, forgetful], length: 300 },
])('answers and books agree with the model: $name', { timeout: 60_000 }, async (variant) => {
  const seed = seedOfRun();
  const random = createRandom(seed);
  const stages = [
    await setStage(random, variant.length),
    await setStage(random, variant.length),
    await setStage(random, variant.length),
  ];
  const processes = variant.options.map((options) => ledgers.open(options));
  await play(random, stages, processes);
  for (const { packageId, calls, overdraftLimit } of stages) {
    const books = await readBooks(ledgers.db, packageId);
    const story = { ...books, calls, overdraftLimit, reading: asBuilt };
    expect(findFaults(story), `TEST_SEED=${seed} (timing matters too)`).toEqual([]);
    expect(books.rows.map((row) => row.sequence)).toEqual(books.rows.map((_, i) => BigInt(i + 1)));
    expect(books.brokenLinks).toEqual([]);
    expect(books.head).toEqual({ sequence: BigInt(books.rows.length), isLastHash: true });
  }
  const words = new Set(stages.flatMap((stage) => stage.calls.map((call) => wordOf(call.receipt))));
  for (const word of ['stored applied', 'repeated applied', 'stored insufficient_funds']) {
    expect(words).toContain(word);
  }
  expect(processes.every((process) => process.counters.stale > 0)).toBe(true);
});
