// Runs two and four processes on one database at full load: duplicate ids, connections, blocked players and
// shutdown.
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import { type HeldConnection, openHeldConnection } from '../environment/held-connection.ts';
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
  afterAll(async () => {
    await service?.stop();
  });

  it('each id that is sent 16 times concurrently has one effect and one answer', () =>
    expectOneEffect({ given, service, count }, 20 * times));

  it('exactly one of 200 concurrent debits of the whole balance succeeds', () =>
    expectOneWinner({ given, service, count }, 200 * times));

  it('a revoked key is refused by every process', () => expectRevokedEverywhere({ given, service, count }));

  if (count === 4) {
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
        await eventually(async () => {
          const [ready, healthy] = await Promise.all([service.ask('/readyz'), service.ask('/healthz')]);
          expect([ready.status, healthy.status]).toEqual([503, 200]);
        });
        expect(await service.stop()).toBe(0);
        expect(listAlive(pids)).toEqual([]);
      },
    );
  }
});

/** A factor of 60, as in the other tests, would prolong `settleMs` to two minutes. */
const blockFactor = 4;
/**
 * The batches of a process serve balance reads only after no player of the package has changed for this time.
 */
const settleMs = 3000 + 2000 * blockFactor; // `lossNoticedWithinMs` with this factor

/**
 * The processes are not notified of the blocks. In the process that did not make the change, the cached
 * status is therefore outdated, and only the package's `players_version` shows that a player has changed.
 * Several players are blocked at once over several connections, so each process makes some of the changes.
 */
it('balance reads during writes show new blocks of players at once', async () => {
  const notifications = await openHeldConnection(given.config.databaseUrl);
  const service = await startProcesses(given, 2, {
    DEADLINE_FACTOR: String(blockFactor),
    WALLET_DATABASE_DIRECT_URL: notifications.url,
  });
  try {
    await untilAllShare({ given, service, count: 2 });
    await expectBlocksSeen(service, notifications);
  } finally {
    await service.stop();
    await notifications.close();
  }
});

async function expectBlocksSeen(service: ServiceProcesses, notifications: HeldConnection): Promise<void> {
  const owner = await given.package({ credit: '100000.00' });
  const players = await Promise.all(Array.from({ length: 16 }, () => given.player(owner)));
  const [player_id] = players;
  let writes = 0;
  const write = async () => {
    const transaction_id = `block-${++writes}`;
    const order = { player_id, type: 'credit', amount: 0.01, transaction_id };
    expect((await settle(service, owner, order)).status).toBe(200);
  };
  const block = (player_id: string) =>
    eventually(async () => {
      const body = { player_id, status: 'blocked' };
      expect((await service.ask('/api/v1/user/status', owner.headers, body)).status).toBe(200);
    });
  const read = (player_id: string) =>
    eventually(async () => {
      const answer = await service.ask(`/api/v1/user/balance?player_id=${player_id}`, owner.headers);
      expect(answer.status).toBe(200);
      return answer.body.data.status;
    });
  const readStatuses = async () => new Set(await Promise.all([...players, ...players].map(read)));
  await write();
  const since = performance.now();
  await eventually(() => expect(performance.now() - since).toBeGreaterThan(settleMs));
  let isOver = false;
  const keepWriting = async () => {
    while (!isOver) await write();
  };
  const writers = runningBeside(Array.from({ length: 40 }, keepWriting));
  try {
    const enough = writes + 200;
    await eventually(() => expect(writes).toBeGreaterThan(enough));
    // Afterwards, both processes have cached the status.
    for (let i = 0; i < 10; i++) expect(await readStatuses()).toEqual(new Set(['active']));
    notifications.hold();
    const blockedAt = performance.now();
    await Promise.all(players.map(block));
    // A process assumes that it notices a lost notification within this time. On a busy machine it may
    // notice it later, so later answers are not compared.
    for (;;) {
      const statuses = await readStatuses();
      if (performance.now() - blockedAt > settleMs) break;
      expect(statuses).toEqual(new Set(['blocked']));
    }
  } finally {
    notifications.release();
    isOver = true;
  }
  await writers;
  await expectCleanBooks(given, owner);
}
