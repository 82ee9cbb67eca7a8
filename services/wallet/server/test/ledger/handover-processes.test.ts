// Two processes of the service, as in production: one of them writes a package, and the other one hands its
// orders over.
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { type ServiceProcesses, startProcesses } from '../environment/service-processes.ts';
import { expectCleanBooks } from './many-processes.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
  given.clock.now = new Date();
});

afterAll(() => given?.close());

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The values of a metric by process number. */
async function readMetric(service: ServiceProcesses, name: string): Promise<Map<number, number>> {
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
async function call(service: ServiceProcesses, caller: Caller): Promise<void> {
  while (!caller.isOver) {
    const n = ++last;
    const transaction_id = `order-${n}`;
    const order = {
      player_id: caller.players[n % caller.players.length],
      type: 'credit',
      amount: 1.25,
      transaction_id,
    };
    const path = '/api/v1/user/update_balance';
    for (;;) {
      const answer = await service.ask(path, caller.owner.headers, order).catch(() => undefined);
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

const runCallers = (service: ServiceProcesses, caller: Caller) =>
  runningBeside(Array.from({ length: 24 }, () => call(service, caller)));

const untilMore = (caller: Caller, count: number) => {
  const enough = caller.answers.size + count;
  return eventually(() => expect(caller.answers.size).toBeGreaterThan(enough));
};

/** Starts two processes, and sends orders until each process has received some of them. */
async function startBoth(caller: Caller, env: Record<string, string> = {}) {
  const service = await startProcesses(given, 2, env);
  const callers = runCallers(service, caller);
  await eventually(async () => {
    expect(sum(await readMetric(service, 'ledger_handed_over_orders_total'))).toBeGreaterThan(50);
  });
  return { service, callers };
}

/** The number of the process that has written the most batches. */
async function findWriter(service: ServiceProcesses): Promise<number> {
  const batches = await readMetric(service, 'ledger_batches_total');
  const [writer = 0] = [...batches].sort(([, a], [, b]) => b - a)[0] ?? [];
  return writer;
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

it('the writing process is killed: nothing is lost or doubled, and the other process goes on', async () => {
  const caller = await givenCaller();
  const { service, callers } = await startBoth(caller);
  try {
    await untilMore(caller, 100);
    // The processes were started in the order of their numbers.
    const victim = service.listPids()[(await findWriter(service)) - 1] ?? 0;
    process.kill(victim, 'SIGKILL');
    await untilMore(caller, 200);
    // The process that replaces the killed one writes the package again.
    await eventually(async () => {
      const batches = await readMetric(service, 'ledger_batches_total');
      expect([...batches.values()].filter((count) => count > 0)).toHaveLength(2);
    });
  } finally {
    caller.isOver = true;
    await callers;
    await service.stop();
  }
  await expectEachOnce(caller);
  expect([...caller.answers.keys()].length).toBeGreaterThan(300);
});

it('a player reads its writes through both processes, and a stop answers all orders', async () => {
  const caller = await givenCaller();
  const { service, callers } = await startBoth(caller);
  try {
    const player_id = await given.player(caller.owner);
    for (let i = 1; i <= 60; i++) {
      const order = { player_id, type: 'credit', amount: 1, transaction_id: `own-${i}` };
      const path = '/api/v1/user/update_balance';
      expect((await service.ask(path, caller.owner.headers, order)).body.data.balance).toBe(i);
      const read = await service.ask(`/api/v1/user/balance?player_id=${player_id}`, caller.owner.headers);
      expect(read.body.data.balance).toBe(i);
    }
    expect(sum(await readMetric(service, 'ledger_conflicts_total'))).toBe(0);
    caller.codes.length = 0;
    caller.isOver = true;
  } finally {
    caller.isOver = true;
    expect(await service.stop()).toBe(0);
    await callers;
  }
  expect(caller.codes.filter((code) => code !== 'no answer')).toEqual([]);
  await expectEachOnce(caller);
});

it('a process port reaches one process, and the shared port is served too', async () => {
  let port = await findFreePort();
  while ((await findFreePort()) !== port + 1) port = await findFreePort();
  const service = await startProcesses(given, 2, { WALLET_PROCESS_PORT: String(port) });
  try {
    const before = await service.countAnswers();
    // Process 2 has the next port.
    const calls = 40;
    for (let i = 0; i < calls; i++) {
      expect((await fetch(`http://127.0.0.1:${port + 1}/healthz`)).status).toBe(200);
    }
    const after = await service.countAnswers();
    expect((after.get('2') ?? 0) - (before.get('2') ?? 0)).toBeGreaterThanOrEqual(calls);
    expect((after.get('1') ?? 0) - (before.get('1') ?? 0)).toBeLessThan(calls);
  } finally {
    expect(await service.stop()).toBe(0);
  }
});
