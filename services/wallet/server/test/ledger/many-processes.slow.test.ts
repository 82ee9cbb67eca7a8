// Runs two and four processes on one database at full load: duplicate ids, connections, blocked players and
// shutdown.
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import { type ServiceProcesses, startProcesses } from '../environment/service-processes.ts';
import {
  expectCleanBooks,
  expectOneEffect,
  expectOneWinner,
  expectRevokedEverywhere,
  expectStartedAgain,
  killOne,
  listAlive,
  settle,
  untilAllShare,
} from './many-processes.ts';

/** The number of requests is multiplied by this factor. `npm run ha -- processes` sets STORM_TIMES. */
const times = Number(process.env.STORM_TIMES ?? 1);
/** The value of LEAVE_NOTICE_SECONDS. It is long enough to call /readyz and /healthz on a slow machine. */
const noticeSeconds = 20;

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
  given.clock.now = new Date();
});
afterAll(() => given.close());

describe.each([2, 4])('a service with %i processes', (count) => {
  let service: ServiceProcesses;
  beforeAll(async () => {
    const env = { LEAVE_NOTICE_SECONDS: String(count === 4 ? noticeSeconds : 0) };
    service = await startProcesses(given, count, env);
    await untilAllShare({ given, service, count });
  });
  afterAll(() => service?.stop());

  it('each id that is sent 16 times concurrently has one effect and one answer', () =>
    expectOneEffect({ given, service, count }, 20 * times));

  it('exactly one of 200 concurrent debits of the whole balance succeeds', () =>
    expectOneWinner({ given, service, count }, 200 * times));

  it('a revoked key is refused by every process', () => expectRevokedEverywhere({ given, service, count }));

  if (count === 2) {
    it('balance reads during writes show a new block of a player at once', () => expectBlocksSeen(service));
  } else {
    it('persistent connections also reach a process that was restarted', async () => {
      const processes = { given, service, count };
      await untilAllShare(processes, () => killOne(processes));
    });

    it('a killed process is started again while the other processes answer', () =>
      expectStartedAgain({ given, service, count }));

    it(
      'when a service is stopped, /readyz reports 503, ' +
        'and the service then exits with status 0 and leaves no process',
      async () => {
        const pids = service.listPids();
        service.supervisor.kill('SIGTERM');
        await eventually(async () => expect((await service.ask('/readyz')).status).toBe(503));
        expect((await service.ask('/healthz')).status).toBe(200);
        expect(await service.stop()).toBe(0);
        expect(listAlive(pids)).toEqual([]);
      },
    );
  }
});

/**
 * The batches of a process serve balance reads only after no player of the package has changed for this time.
 */
const settledMs = 5500;

async function expectBlocksSeen(service: ServiceProcesses): Promise<void> {
  const owner = await given.package({ credit: '100000.00' });
  const player_id = await given.player(owner);
  const status = (to: string) => service.ask('/api/v1/user/status', owner.headers, { player_id, status: to });
  let writes = 0;
  const write = async (isOver: () => boolean) => {
    while (!isOver()) {
      const transaction_id = `block-${++writes}`;
      const order = { player_id, type: 'credit', amount: 0.01, transaction_id };
      expect((await settle(service, owner, order)).status).toBe(200);
    }
  };
  const read = () => service.ask(`/api/v1/user/balance?player_id=${player_id}`, owner.headers);
  const untilSettled = () => {
    const since = performance.now();
    return eventually(() => expect(performance.now() - since).toBeGreaterThan(settledMs));
  };
  for (let round = 0; round < 3; round++) {
    await untilSettled();
    let isOver = false;
    const writers = runningBeside(Array.from({ length: 40 }, () => write(() => isOver)));
    try {
      const enough = writes + 200;
      await eventually(() => expect(writes).toBeGreaterThan(enough));
      for (let i = 0; i < 10; i++) {
        const now = i % 2 === 0 ? 'blocked' : 'active';
        expect((await status(now)).status).toBe(200);
        const answers = await Promise.all([read(), read(), read(), read()]);
        expect(answers.map(({ body }) => body.data.status)).toEqual([now, now, now, now]);
      }
    } finally {
      isOver = true;
    }
    await writers;
  }
  await expectCleanBooks(given, owner);
}
