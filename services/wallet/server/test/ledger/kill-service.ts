// Kills a service under load a given number of times. No acknowledged order may be lost or applied twice.
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { expect, onTestFinished } from 'vitest';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { startVictim, type Victim } from '../environment/service-processes.ts';

interface Answer {
  readonly status: number;
  readonly body: { code?: string; data?: { balance: number; duplicate: boolean } };
}

interface Order {
  readonly player_id: string;
  readonly type: 'credit' | 'debit';
  readonly amount: number;
  readonly transaction_id: string;
}

/** The final answer to each order, by transaction id. */
type Answers = Map<string, { readonly order: Order; readonly status: number }>;

/** Sends an order repeatedly until the answer is 200 or 422. */
async function settle(victim: Victim, owner: GivenPackage, order: Order): Promise<Answer> {
  for (;;) {
    await victim.isUp();
    try {
      const answer = await fetch(`${victim.origin}/api/v1/user/update_balance`, {
        method: 'POST',
        headers: { ...owner.headers, 'content-type': 'application/json' },
        body: JSON.stringify(order),
      });
      const { status } = answer;
      const body = (await answer.json()) as Answer['body'];
      if (status === 200 || status === 422) return { status, body };
      if (status !== 503) throw new UnexpectedAnswer(`${status} ${JSON.stringify(body)}`);
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error;
    }
    // The connection broke, or the service answered 503 because it has no database connection yet.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

class UnexpectedAnswer extends Error {}

/** The number of answers that each caller gets, on average, between two kills. */
const answersPerCaller = 4;

export async function expectNothingLost(wanted: { kills: number; callers: number }): Promise<void> {
  const given = await givenWallet();
  onTestFinished(given.close);
  const owner = await given.package({ credit: '1000000.00' });
  const players: string[] = [];
  for (let i = 0; i < 8; i++) players.push(await given.player(owner, { balance: '100.00' }));
  const victim = await startVictim(given);
  onTestFinished(victim.kill);
  const answers: Answers = new Map();
  let [last, stopping] = [0, false];
  const call = async () => {
    while (!stopping) {
      const n = ++last;
      const type = n % 3 === 0 ? 'debit' : 'credit';
      const amount = type === 'debit' ? 40 : 1.25;
      const player_id = players[n % players.length] ?? '';
      const order: Order = { player_id, type, amount, transaction_id: `k${n}` };
      answers.set(order.transaction_id, { order, ...(await settle(victim, owner, order)) });
    }
  };
  const expectClean = async () => expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
  const running = runningBeside(Array.from({ length: wanted.callers }, call));
  try {
    for (let i = 0; i < wanted.kills; i++) {
      const enough = answers.size + wanted.callers * answersPerCaller * (0.5 + Math.random());
      await Promise.race([running, eventually(() => expect(answers.size).toBeGreaterThan(enough))]);
      await victim.kill();
      await expectClean();
      await victim.startAgain();
    }
  } finally {
    stopping = true;
  }
  await running;
  await expectClean();
  await expectAnswersStored(given, owner, answers);
  // Repeats the last 20 orders with the same ids. The new process must give the same answers.
  for (const { order, status } of [...answers.values()].slice(-20)) {
    const again = await settle(victim, owner, order);
    expect([again.status, again.body.data?.duplicate]).toEqual([status, true]);
  }
}

async function expectAnswersStored(given: Given, owner: GivenPackage, answers: Answers): Promise<void> {
  const { rows } = await given.db.query<{ transaction_id: string; result: number; amount: bigint }>(
    `select transaction_id, result, amount from journal
     where package_id = $1 and transaction_id like 'k%'`,
    [owner.id],
  );
  expect(rows).toHaveLength(answers.size);
  const stored = new Map(rows.map((row) => [row.transaction_id, row]));
  for (const [id, { order, status }] of answers) {
    const row = stored.get(id);
    expect([id, row?.result === 0, row?.amount]).toEqual([
      id,
      status === 200,
      BigInt(Math.round(order.amount * 100)),
    ]);
  }
}
