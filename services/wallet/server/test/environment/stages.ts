// Plays random histories with 64 callers on several ledgers, and compares the stored rows with the model.
import { expect } from 'vitest';
import type { Order } from '../../src/ledger/engine/ledger.ts';
import type { Command } from '../../src/ledger/rules/command.ts';
import { type Answered, type Ledgers, wordOf } from '../ledger/ledgers.ts';
import { makeHistory, type Space } from '../ledger/model/histories.ts';
import { readBooks } from '../ledger/model/journal.ts';
import { asBuilt } from '../ledger/model/model.ts';
import type { Random } from '../ledger/model/random.ts';
import { type Call, findFaults } from '../ledger/model/replay.ts';

const most = 10n ** 15n - 1n;
const ids = Array.from({ length: 40 }, (_, i) => `${i}`);
const amounts = [...Array.from({ length: 20 }, (_, i) => BigInt(i + 1)), 500n, most];

export interface Stage {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly calls: Call[];
  readonly commands: Command[];
}

/** Creates three packages with one history each. The histories use the same transaction ids and round ids. */
export async function setStages(ledgers: Ledgers, random: Random, length: number) {
  const stages: Stage[] = [];
  for (let i = 0; i < 3; i++) {
    const packageId = await ledgers.package();
    const accounts = [await ledgers.player(packageId), await ledgers.player(packageId)];
    const space: Space = { accounts, ids, rounds: ['r', 's', 't'], amounts };
    const commands = makeHistory(random, space, length);
    stages.push({ packageId, overdraftLimit: random.pick([0n, 30n]), calls: [], commands });
  }
  return stages;
}

/**
 * Lets 64 callers send the commands. Each caller repeatedly takes a command of a random package and sends the
 * command to a random ledger.
 */
export async function play(
  random: Random,
  stages: readonly Stage[],
  senders: readonly ((order: Order) => Promise<Answered>)[],
): Promise<void> {
  let tick = 0;
  const waiting = stages.flatMap((stage) => stage.commands.map((command) => ({ stage, command })));
  const caller = async () => {
    while (waiting.length > 0) {
      const [next] = waiting.splice(random.below(Math.min(waiting.length, 200)), 1);
      if (!next) return;
      const { stage, command } = next;
      const { packageId, overdraftLimit } = stage;
      const send = random.pick(senders);
      let sentAt = ++tick;
      let receipt = await send({ packageId, overdraftLimit, command });
      // An order that gets `overloaded` was not applied, so it can be sent again.
      while (receipt === 'overloaded') {
        await new Promise((resolve) => setImmediate(resolve));
        sentAt = ++tick;
        receipt = await send({ packageId, overdraftLimit, command });
      }
      if (typeof receipt === 'string') throw new Error(`the order failed with ${receipt}`);
      stage.calls.push({ command, sentAt, answeredAt: ++tick, receipt });
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
}

/** Checks that every answer agrees with the order of the journal, and that no row is missing. */
export async function expectTrueBooks(ledgers: Ledgers, stages: readonly Stage[], hint: string) {
  for (const { packageId, calls, overdraftLimit } of stages) {
    const books = await readBooks(ledgers.db, packageId);
    expect(findFaults({ ...books, calls, overdraftLimit, reading: asBuilt }), hint).toEqual([]);
    expect(books.rows.map((row) => row.sequence)).toEqual(books.rows.map((_, i) => BigInt(i + 1)));
    expect(books.brokenLinks).toEqual([]);
    expect(books.head).toEqual({ sequence: BigInt(books.rows.length), isLastHash: true });
  }
}

/** The required kinds of answers that did not occur in any of the histories. */
export function listMissing(stages: readonly Stage[]): string[] {
  const words = new Set(stages.flatMap((stage) => stage.calls.map((call) => wordOf(call.receipt))));
  const wanted = ['stored applied', 'repeated applied', 'stored insufficient_funds'];
  return wanted.filter((word) => !words.has(word));
}
