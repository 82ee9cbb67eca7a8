// kill -9 under load, again and again: nothing acknowledged is lost, nothing is applied twice.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { runningBeside } from '@counterfoil/kit/testing/running-beside';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '../src/proof/verify-ledger.ts';
import { type Given, type GivenPackage, givenWallet } from './given.ts';

const kills = 20;
const callers = 64;

let given: Given;
let owner: GivenPackage;
let players: string[];
let port: number;
let service: ChildProcess;

async function startService(): Promise<ChildProcess> {
  const child = fork('wallet/server/dist/main.js', [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      WALLET_PORT: String(port),
      WALLET_DATABASE_URL: given.config.databaseUrl,
      MASTER_KEY: given.masterKeyText,
    },
  });
  await once(child, 'message');
  return child;
}

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000000.00' });
  players = await Promise.all(
    Array.from({ length: 8 }, () => given.player(owner, { balance: '100.00' })),
  );
  port = await findFreePort();
  service = await startService();
});

afterAll(async () => {
  service.kill('SIGKILL');
  await given.close();
});

interface Answer {
  readonly status: number;
  readonly body: { code?: string; data?: { balance: number; duplicate: boolean } };
}

async function send(order: object): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/user/update_balance`, {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(5000),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  } catch {
    return undefined;
  }
}

/** What each caller was told, finally, of each of its orders. */
const told = new Map<string, { status: number; amount: number; player: string; type: string }>();
let counter = 0;
let stopping = false;

/** Sends one order after the other; an order without a definite answer is sent again with its id. */
async function call(): Promise<void> {
  while (!stopping) {
    const n = ++counter;
    const player = players[n % players.length] ?? '';
    const type = n % 3 === 0 ? 'debit' : 'credit';
    const amount = type === 'debit' ? 40 : 1.25;
    const order = { player_id: player, type, amount, transaction_id: `k${n}` };
    for (;;) {
      const answer = await send(order);
      if (answer && (answer.status === 200 || answer.status === 422)) {
        told.set(order.transaction_id, { status: answer.status, amount, player, type });
        break;
      }
      if (answer && answer.status !== 503) throw new Error(`got ${JSON.stringify(answer)}`);
      await sleep(20);
    }
  }
}

it(`${kills} kills under ${callers}-way load: all that was told is there once, and the proof is clean`, async () => {
  const running = runningBeside(Array.from({ length: callers }, call));
  for (let i = 0; i < kills; i++) {
    await sleep(150 + Math.random() * 350);
    service.kill('SIGKILL');
    await once(service, 'exit');
    expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
    service = await startService();
  }
  stopping = true;
  await running;
  expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
  await expectToldIsStored();
}, 240_000);

async function expectToldIsStored(): Promise<void> {
  expect(told.size).toBeGreaterThan(kills * 10);
  const { rows } = await given.db.query<{ transaction_id: string; result: number; amount: bigint }>(
    `select transaction_id, result, amount from journal
     where package_id = $1 and transaction_id like 'k%'`,
    [owner.id],
  );
  expect(rows).toHaveLength(told.size);
  const stored = new Map(rows.map((row) => [row.transaction_id, row]));
  for (const [id, { status, amount }] of told) {
    const row = stored.get(id);
    expect([id, row?.result === 0, row?.amount]).toEqual([
      id,
      status === 200,
      BigInt(Math.round(amount * 100)),
    ]);
  }
  // Once more with the same id: the same answer, from the new process too.
  for (const [id, { status, amount, player, type }] of [...told].slice(-100)) {
    const again = await send({ player_id: player, type, amount, transaction_id: id });
    expect([again?.status, again?.body.data?.duplicate]).toEqual([status, true]);
  }
}
