// Checks that several processes on one database behave like one process. Callers set the number of requests.
import { execFileSync } from 'node:child_process';
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import { operator } from '../../src/audit/audit-event.ts';
import { revokeKeyPair } from '../../src/packages/credentials/change-key-pairs.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import type { Given, GivenPackage } from '../environment/given.ts';
import type { Answer, ServiceProcesses } from '../environment/service-processes.ts';

export interface Processes {
  readonly given: Given;
  readonly service: ServiceProcesses;
  readonly count: number;
}

const update = '/api/v1/user/update_balance';
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
let storms = 0;

export async function expectCleanBooks(given: Given, owner: GivenPackage): Promise<void> {
  expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
}

/** Repeats an order under the same id, as callers do, until the answer is neither 429 nor a 5xx. */
export async function settle(service: ServiceProcesses, owner: GivenPackage, order: object): Promise<Answer> {
  for (;;) {
    const answer = await service.ask(update, owner.headers, order);
    if (answer.status < 500 && answer.status !== 429) return answer;
    await nextTurn();
  }
}

/** The number of requests that each process answers during the work. */
async function countMeanwhile(service: ServiceProcesses, work: () => Promise<unknown>): Promise<number[]> {
  const before = await service.countAnswers();
  await work();
  const answers = await service.countAnswers();
  return [...answers].map(([number, many]) => many - (before.get(number) ?? many));
}

/**
 * Connections are not rebalanced while every process has at most 4 more than twice the fewest connections.
 * With 12 connections, four processes could keep 4, 4, 4 and 0 for ever. With 32 connections, each of four
 * processes keeps at least 3.
 */
const callersOfAll = 32;
/** A quarter of the fair share of calls. Each process has at least 3 of 32 connections. */
const leastPart = 1 / 4;

/**
 * Sends calls over persistent connections until each process has answered at least a quarter of its fair
 * share.
 */
export async function untilAllShare(
  { given, service, count }: Processes,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { headers } = await given.package();
  let answered = 0;
  let isOver = false;
  const call = async () => {
    while (!isOver) {
      await service.ask('/api/v1/package', headers).then(() => answered++, nextTurn);
    }
  };
  const callers = runningBeside(Array.from({ length: callersOfAll }, call));
  const manyMore = () => {
    const enough = answered + 100 * count;
    return eventually(() => expect(answered).toBeGreaterThan(enough));
  };
  try {
    await manyMore();
    await meanwhile();
    await eventually(async () => {
      const news = await countMeanwhile(service, manyMore);
      expect(news).toHaveLength(count);
      const all = news.reduce((sum, each) => sum + each, 0);
      expect(Math.min(...news) * count).toBeGreaterThanOrEqual(all * leastPart);
    });
  } finally {
    isOver = true;
  }
  await callers;
}

/**
 * Repeats `work` until every process has answered some of the requests that `work` sends, so that the check
 * covers all processes.
 */
async function untilAllTakePart({ service, count }: Processes, work: () => Promise<void>): Promise<void> {
  const end = AbortSignal.timeout(180_000);
  while (!end.aborted) {
    const news = await countMeanwhile(service, work);
    if (news.length === count && news.every((many) => many > 1)) return;
  }
  throw new Error('a process answered nothing for 180 seconds');
}

/**
 * Sends 16 requests with each id at the same time. Each id must have one effect, and at least 15 of its
 * answers must be duplicates.
 */
export async function expectOneEffect(processes: Processes, ids: number): Promise<void> {
  const { given, service } = processes;
  const owner = await given.package({ credit: '100000.00' });
  await untilAllTakePart(processes, async () => {
    const player_id = await given.player(owner);
    const storm = ++storms;
    const orders = Array.from({ length: 16 * ids }, (_, i) => ({
      player_id,
      type: 'credit',
      amount: 1.5,
      transaction_id: `storm-${storm}-${i % ids}`,
    }));
    const answers = await Promise.all(orders.map((order) => settle(service, owner, order)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const firsts = answers.filter(({ body }) => !body.data.duplicate);
    expect(firsts.length).toBeLessThanOrEqual(ids);
    const path = `/api/v1/user/balance?player_id=${player_id}`;
    const { body } = await service.ask(path, owner.headers);
    expect(body.data.balance).toBe(1.5 * ids);
  });
  await expectCleanBooks(given, owner);
}

/** Sends several debits at the same time, each of the whole balance. Exactly one of them must be applied. */
export async function expectOneWinner(processes: Processes, debits: number): Promise<void> {
  const { given, service } = processes;
  const owner = await given.package({ credit: '10000.00' });
  await untilAllTakePart(processes, async () => {
    const player_id = await given.player(owner, { balance: '70.00' });
    const storm = ++storms;
    const answers = await Promise.all(
      Array.from({ length: debits }, (_, i) => {
        const transaction_id = `race-${storm}-${i}`;
        return settle(service, owner, { player_id, type: 'debit', amount: 70, transaction_id });
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'insufficient_funds']));
  });
  await expectCleanBooks(given, owner);
}

export async function expectRevokedEverywhere(processes: Processes): Promise<void> {
  const { given, service } = processes;
  const owner = await given.package();
  const ask = async () => {
    const calls = Array.from({ length: 32 }, () => service.ask('/api/v1/package', owner.headers));
    return new Set((await Promise.all(calls)).map(({ status }) => status));
  };
  await untilAllTakePart(processes, async () => expect(await ask()).toEqual(new Set([200])));
  const { rows } = await given.db.query<{ id: bigint }>(
    'select id from package_keys where package_id = $1 and api_key = $2',
    [owner.id, owner.headers['x-api-key']],
  );
  const target = { packageId: owner.id, id: rows[0]?.id ?? 0n, actor: operator, at: new Date() };
  await given.db.transaction((tx) => revokeKeyPair(tx, target));
  await eventually(async () => expect(await ask()).toEqual(new Set([401])));
  await untilAllTakePart(processes, async () => expect(await ask()).toEqual(new Set([401])));
}

/** Kills a process and waits until it is no longer a child of the supervisor. */
export async function killOne({ service }: Processes): Promise<void> {
  const [victim = 0] = service.listPids();
  process.kill(victim, 'SIGKILL');
  await eventually(() => expect(service.listPids()).not.toContain(victim));
}

/** Kills one process. The other processes must still answer, and the supervisor must start a new process. */
export async function expectStartedAgain(processes: Processes): Promise<void> {
  const { service, count } = processes;
  await killOne(processes);
  await eventually(async () => expect((await service.ask('/healthz')).status).toBe(200));
  await eventually(async () => expect((await service.countAnswers()).size).toBe(count));
}

/** The given processes that are still running. */
export const listAlive = (pids: readonly number[]): number[] =>
  pids.filter((pid) => {
    try {
      return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }) !== '';
    } catch {
      return false;
    }
  });
