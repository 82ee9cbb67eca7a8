// Several processes on one database are one wallet: for money, for keys, and for work behind it.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { runningBeside } from '@counterfoil/kit/testing/running-beside';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../src/audit/audit-event.ts';
import { revokeKeyPair } from '../src/customer-packages/revoke-key-pair.ts';
import { verifyLedger } from '../src/proof/verify-ledger.ts';
import { type Given, type GivenPackage, givenWallet } from './given.ts';
import { giveProgram } from './people.ts';
import { givenProvider, type Provider } from './provider.ts';
import { type Answer, type ServiceProcesses, startProcesses } from './service-processes.ts';

let given: Given;
let provider: Provider;

beforeAll(async () => {
  provider = await givenProvider();
  given = await givenWallet(provider.env);
  given.clock.now = new Date();
});
afterAll(async () => {
  await given.close();
  await provider.close();
});

const update = '/api/v1/user/update_balance';
/** Small in the suite; `npm run ha -- processes` makes storms of another size. */
const times = Number(process.env.STORM_TIMES ?? 1);

async function expectCleanBooks(owner: GivenPackage): Promise<void> {
  expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
}

/** As callers do: what was not answered by the rules is sent again under the same id. */
async function settle(
  service: ServiceProcesses,
  owner: GivenPackage,
  order: object,
): Promise<Answer> {
  for (;;) {
    const answer = await service.ask(update, owner.headers, order);
    if (answer.status < 500 && answer.status !== 429) return answer;
    await sleep(50);
  }
}

/** Calls over and over on kept connections, until each process has a third of its due, or more. */
async function untilAllShare(
  service: ServiceProcesses,
  count: number,
  meanwhile: () => void = () => undefined,
): Promise<void> {
  const { headers } = await given.package();
  let isOver = false;
  const call = async () => {
    while (!isOver) await service.ask('/api/v1/package', headers).catch(() => sleep(5));
  };
  const callers = runningBeside(Array.from({ length: 32 }, call));
  await sleep(200);
  meanwhile();
  const expectShares = async () => {
    const before = await service.countAnswers();
    await sleep(1000);
    const answers = await service.countAnswers();
    const news = [...answers].map(([number, many]) => many - (before.get(number) ?? many));
    expect(news).toHaveLength(count);
    const all = news.reduce((sum, each) => sum + each, 0);
    expect(Math.min(...news) * 3 * count).toBeGreaterThanOrEqual(all);
  };
  try {
    await eventually(expectShares);
  } finally {
    isOver = true;
  }
  await callers;
}

/** Every one of the processes has had its share, or the test would be about fewer. */
async function expectAllBusy(service: ServiceProcesses, count: number): Promise<void> {
  const answers = await service.countAnswers();
  expect([...answers.keys()].sort()).toEqual(
    Array.from({ length: count }, (_, i) => String(i + 1)),
  );
  for (const answered of answers.values()) expect(answered).toBeGreaterThan(5);
}

describe.each([2, 4])('%i processes', (count) => {
  let service: ServiceProcesses;
  beforeAll(async () => {
    service = await startProcesses(given, count, { ...provider.env, LEAVE_NOTICE_SECONDS: '2' });
    await untilAllShare(service, count);
  }, 120_000);
  afterAll(() => service.stop());

  it(
    'a storm of duplicates has one effect and one answer per id',
    async () => {
      const owner = await given.package({ credit: '100000.00' });
      const player_id = await given.player(owner);
      const orders = Array.from({ length: 320 * times }, (_, i) => ({
        ...{ player_id, type: 'credit', amount: 1.5 },
        transaction_id: `storm-${count}-${i % (20 * times)}`,
      }));
      const answers = await Promise.all(orders.map((order) => settle(service, owner, order)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const firsts = answers.filter(({ body }) => !body.data.duplicate);
      expect(firsts.length).toBeLessThanOrEqual(20 * times);
      const { body } = await service.ask(
        `/api/v1/user/balance?player_id=${player_id}`,
        owner.headers,
      );
      expect(body.data.balance).toBe(30 * times);
      await expectAllBusy(service, count);
      await expectCleanBooks(owner);
    },
    30_000 * times,
  );

  it(
    'of hundreds of debits of the whole balance one goes through, whoever takes it',
    async () => {
      const owner = await given.package({ credit: '1000.00' });
      const player_id = await given.player(owner, { balance: '70.00' });
      const answers = await Promise.all(
        Array.from({ length: 200 * times }, (_, i) => {
          const order = { player_id, type: 'debit', amount: 70, transaction_id: `race-${i}` };
          return settle(service, owner, order);
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(
        new Set([undefined, 'insufficient_funds']),
      );
      await expectCleanBooks(owner);
    },
    30_000 * times,
  );

  it.runIf(count === 2)(
    'whoever reads a balance beside writes sees the block that was just set',
    async () => {
      const owner = await given.package({ credit: '100000.00' });
      const player_id = await given.player(owner);
      const status = (to: string) =>
        service.ask('/api/v1/user/status', owner.headers, { player_id, status: to });
      let isOver = false;
      let writes = 0;
      const write = async () => {
        while (!isOver) {
          const transaction_id = `block-${++writes}`;
          const order = { player_id, type: 'credit', amount: 0.01, transaction_id };
          expect((await settle(service, owner, order)).status).toBe(200);
        }
      };
      const writers = runningBeside(Array.from({ length: 40 }, write));
      const read = () => service.ask(`/api/v1/user/balance?player_id=${player_id}`, owner.headers);
      try {
        // By now every process tells balances by its batches.
        await sleep(6000);
        for (let i = 0; i < 30; i++) {
          const now = i % 2 === 0 ? 'blocked' : 'active';
          expect((await status(now)).status).toBe(200);
          const answers = await Promise.all([read(), read(), read(), read()]);
          expect(answers.map(({ body }) => body.data.status)).toEqual([now, now, now, now]);
          if (i % 10 === 9) await sleep(5500);
        }
      } finally {
        isOver = true;
      }
      await writers;
      await expectCleanBooks(owner);
    },
    60_000,
  );

  it('a revoked key is refused by every process within 5 s', async () => {
    const owner = await given.package();
    const ask = () =>
      Promise.all(Array.from({ length: 32 }, () => service.ask('/api/v1/package', owner.headers)));
    expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await given.db.query<{ id: bigint }>(
      'select id from package_keys where package_id = $1 and api_key = $2',
      [owner.id, owner.headers['x-api-key']],
    );
    const target = { packageId: owner.id, id: rows[0]?.id ?? 0n, actor: operator, at: new Date() };
    await given.db.transaction((tx) => revokeKeyPair(tx, target));
    await eventually(async () =>
      expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([401])),
    );
  });

  it('callers who keep their connections use a process that came back', async () => {
    const victim = service.listPids()[0] ?? Number.NaN;
    await untilAllShare(service, count, () => process.kill(victim, 'SIGKILL'));
    expect(service.listPids()).not.toContain(victim);
  }, 60_000);

  // What comes now does not depend on how many they are.
  if (count !== 4) return;

  it('the provider hears of each change once, not once per process', async () => {
    const { send } = await giveProgram(given);
    const owners = await Promise.all(Array.from({ length: 6 }, () => given.package()));
    const isSettled = async () => {
      const { rows } = await given.db.query(
        'select 1 from upstream_registrations where done < wanted',
      );
      expect(rows).toEqual([]);
    };
    await eventually(isSettled);
    provider.calls.splice(0);
    given.clock.now = new Date();
    for (const { id } of owners) await send('POST', `/admin/v1/packages/${id}/suspend`, {});
    await eventually(isSettled);
    // Whoever was to do it a second time would have had its turn by now.
    await sleep(1200);
    const told = provider.calls.map(({ path }) => path.split('/').at(-1)).sort();
    expect(told).toEqual(owners.map(({ uid }) => uid).sort());
  });

  it('a process that dies is started again, and the others answer meanwhile', async () => {
    const [victim = 0] = service.listPids();
    process.kill(victim, 'SIGKILL');
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () =>
        service.ask('/healthz').then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
    await eventually(async () => {
      const answers = await service.countAnswers();
      expect(service.listPids()).not.toContain(victim);
      expect(answers.size).toBe(count);
    });
  });

  it('told to leave, it says so to a load balancer first, then finishes, and nothing stays', async () => {
    const pids = service.listPids();
    service.supervisor.kill('SIGTERM');
    await eventually(async () => expect((await service.ask('/readyz')).status).toBe(503));
    expect((await service.ask('/healthz')).status).toBe(200);
    expect(await service.stop()).toBe(0);
    const alive = pids.filter((pid) => {
      try {
        return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  });
});
