// Two processes of the service, as in production: one of them writes a package, and the other one hands its
// orders over.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { type ServiceProcesses, startProcesses } from '../environment/service-processes.ts';
import { expectCleanBooks } from './many-processes.ts';

let given: Given;
let service: ServiceProcesses;
let firstPort: number;

beforeAll(async () => {
  given = await givenWallet();
  given.clock.now = new Date();
  firstPort = await findFreePort();
  while ((await findFreePort()) !== firstPort + 1) firstPort = await findFreePort();
  service = await startProcesses(given, 2, { WALLET_PROCESS_PORT: String(firstPort) });
});

afterAll(async () => {
  await service?.stop();
  await given?.close();
});

const update = '/api/v1/user/update_balance';
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The values of a metric by process number. */
async function readMetric(name: string): Promise<Map<number, number>> {
  const { text } = await service.ask('/metrics');
  const values = new Map<number, number>();
  for (const [, labels = '', value] of text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\d+)`, 'gm'))) {
    values.set(Number(/process="(\d+)"/.exec(labels)?.[1]), Number(value));
  }
  return values;
}

const sum = (values: Map<number, number>) => [...values.values()].reduce((all, each) => all + each, 0);

interface Caller {
  readonly owner: GivenPackage;
  readonly players: readonly string[];
  /** The final status of each order, by transaction id. */
  readonly answers: Map<string, number>;
  /** The codes of the answers that were not final. */
  readonly codes: string[];
  isOver: boolean;
}

async function givenCaller(): Promise<Caller> {
  const owner = await given.package({ credit: '1000000.00' });
  const players = await Promise.all(Array.from({ length: 8 }, () => given.player(owner)));
  return { owner, players, answers: new Map(), codes: [], isOver: false };
}

let last = 0;

/** Sends credits, each until its answer is final. */
async function call(caller: Caller): Promise<void> {
  while (!caller.isOver) {
    const n = ++last;
    const transaction_id = `order-${n}`;
    const order = {
      player_id: caller.players[n % caller.players.length],
      type: 'credit',
      amount: 1.25,
      transaction_id,
    };
    for (;;) {
      const answer = await service.ask(update, caller.owner.headers, order).catch(() => undefined);
      if (answer?.status === 200) {
        caller.answers.set(transaction_id, answer.status);
        break;
      }
      caller.codes.push(answer ? (answer.body.code ?? String(answer.status)) : 'no answer');
      if (caller.isOver) return;
      await nextTurn();
    }
  }
}

const untilMore = (caller: Caller, count: number) => {
  const enough = caller.answers.size + count;
  return eventually(() => expect(caller.answers.size).toBeGreaterThan(enough));
};

/** Starts callers, waits until some of their orders have been handed over, and finds the writing process. */
async function startCallers(caller: Caller): Promise<{ callers: Promise<unknown>; writer: number }> {
  const before = await readMetric('ledger_handed_over_orders_total');
  const callers = runningBeside(Array.from({ length: 24 }, () => call(caller)));
  const writer = await eventually(async () => {
    const after = await readMetric('ledger_handed_over_orders_total');
    const grown = [1, 2].map((number) => (after.get(number) ?? 0) - (before.get(number) ?? 0));
    expect(Math.max(...grown)).toBeGreaterThan(20);
    // Only the other process hands orders over.
    expect(Math.min(...grown)).toBe(0);
    return grown.indexOf(0) + 1;
  });
  return { callers, writer };
}

/**
 * Waits until all orders that have been sent so far are answered. Until then, batches may be decided again:
 * the writing process may have cached the journal head before the test topped the package up, and until the
 * processes are connected, both of them may write.
 */
async function untilAllSentAreAnswered({ answers }: Caller, first: number): Promise<void> {
  const sent = Array.from({ length: last - first }, (_, i) => `order-${first + i + 1}`);
  await eventually(() => expect(sent.filter((id) => !answers.has(id))).toEqual([]));
}

async function expectEachOnce(caller: Caller): Promise<void> {
  const { rows } = await given.db.query<{ transaction_id: string }>(
    "select transaction_id from journal where package_id = $1 and transaction_id like 'order-%'",
    [caller.owner.id],
  );
  const stored = rows.map((row) => row.transaction_id);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...caller.answers.keys()].filter((id) => !stored.includes(id))).toEqual([]);
  await expectCleanBooks(given, caller.owner);
}

it('a process port reaches one process', async () => {
  const before = await service.countAnswers();
  const calls = 40;
  for (let i = 0; i < calls; i++) {
    expect((await fetch(`http://127.0.0.1:${firstPort + 1}/healthz`)).status).toBe(200);
  }
  const after = await service.countAnswers();
  const grown = (number: string) => (after.get(number) ?? 0) - (before.get(number) ?? 0);
  expect(grown('2')).toBeGreaterThanOrEqual(calls);
  expect(grown('1')).toBeLessThan(calls);
});

it('a player reads its writes through both processes, and batches are not decided again', async () => {
  const caller = await givenCaller();
  const first = last;
  const { callers } = await startCallers(caller);
  const player_id = await given.player(caller.owner);
  let conflicts = 0;
  try {
    await untilAllSentAreAnswered(caller, first);
    conflicts = sum(await readMetric('ledger_conflicts_total'));
    for (let i = 1; i <= 40; i++) {
      const order = { player_id, type: 'credit', amount: 1, transaction_id: `own-${i}` };
      const written = await service.ask(update, caller.owner.headers, order);
      expect(written.body.data.balance).toBe(i);
      const read = await service.ask(`/api/v1/user/balance?player_id=${player_id}`, caller.owner.headers);
      expect(read.body.data.balance).toBe(i);
    }
  } finally {
    caller.isOver = true;
    await callers;
  }
  expect(sum(await readMetric('ledger_conflicts_total'))).toBe(conflicts);
  await expectEachOnce(caller);
});

it('the writing process is killed: nothing is lost or doubled, and the other process goes on', async () => {
  const caller = await givenCaller();
  const { callers, writer } = await startCallers(caller);
  try {
    // The processes were started in the order of their numbers.
    process.kill(service.findPid(writer === 1 ? 'oldest' : 'newest'), 'SIGKILL');
    await untilMore(caller, 100);
    // The process that replaces the killed one gets orders again.
    await eventually(async () => {
      const batches = await readMetric('ledger_batches_total');
      expect([...batches.values()].filter((count) => count > 0)).toHaveLength(2);
    });
  } finally {
    caller.isOver = true;
    await callers;
  }
  await expectEachOnce(caller);
});

it('a process starts again and applies orders after the folder of the sockets was removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sockets-'));
  const processes = await startProcesses(given, 2, { TMPDIR: folder });
  onTestFinished(async () => {
    await processes.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const [removed = ''] = await readdir(folder);
  await rm(join(folder, removed), { recursive: true });
  const [victim = 0] = processes.listPids();
  process.kill(victim, 'SIGKILL');
  await eventually(async () => {
    expect(processes.listPids()).not.toContain(victim);
    expect([...(await processes.countAnswers()).keys()].sort()).toEqual(['1', '2']);
  });
  const owner = await given.package({ credit: '1000.00' });
  const player_id = await given.player(owner);
  for (let i = 1; i <= 20; i++) {
    const order = { player_id, type: 'credit', amount: 1, transaction_id: `again-${i}` };
    expect((await processes.ask(update, owner.headers, order)).body.data.balance).toBe(i);
  }
});

it('a stop answers all orders, also those that were handed over', async () => {
  const caller = await givenCaller();
  const { callers } = await startCallers(caller);
  caller.codes.length = 0;
  const answered = caller.answers.size;
  caller.isOver = true;
  service.supervisor.kill('SIGTERM');
  await callers;
  // An order gets no answer if it arrives on a connection that the service is just closing.
  expect(caller.codes.filter((code) => code !== 'no answer')).toEqual([]);
  expect(caller.answers.size).toBeGreaterThan(answered);
  expect(await service.stop()).toBe(0);
  await expectEachOnce(caller);
});
