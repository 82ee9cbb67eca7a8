// Plays in dialects while the service or its database crashes: every answered call is applied exactly once.
import { eventually, runningBeside } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import type { DialectName } from '../../src/connections/dialects/dialect.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import {
  type DialectAnswer,
  type DialectPlayer,
  noFunds,
  openDriver,
  retryable,
} from '../environment/dialect-drivers.ts';
import type { Given, GivenPackage } from '../environment/given.ts';

/** A wallet service that the test crashes, or whose database the test crashes. */
export interface CrashingWallet {
  readonly given: Given;
  readonly origin: string;
  isUp(): Promise<unknown>;
  /** Resolves after the crash and before the restart. */
  crash(): Promise<void>;
  restart(): Promise<unknown>;
}

interface Seat {
  readonly dialect: DialectName;
  readonly player: DialectPlayer;
}

interface Step {
  readonly seat: Seat;
  readonly kind: 'bet' | 'win' | 'rollback';
  readonly id: string;
  /** The amount in cents. */
  readonly amount: number;
  /** The change of the balance in cents. */
  readonly change: number;
  send(): Promise<DialectAnswer>;
}

interface Settled extends Step {
  readonly answer: DialectAnswer;
}

const fundsCents = 100_00;
const playersPerDialect = 3;
/** The average number of answers that each caller gets between two crashes. */
const answersPerCaller = 4;

async function takeSeats(
  { given, origin }: CrashingWallet,
  owner: GivenPackage,
  dialects: readonly DialectName[],
): Promise<Seat[]> {
  const seats: Seat[] = [];
  for (const dialect of dialects) {
    const driver = await openDriver(given, owner, dialect, origin);
    for (let i = 0; i < playersPerDialect; i++) seats.push({ dialect, player: await driver.player() });
  }
  return seats;
}

/** Makes a bet, which may exceed the balance. After the bet come its win, its rollback, or neither. */
function makeStory(seat: Seat, n: number): Step[] {
  const { player } = seat;
  const round = `k-r${n}`;
  const stake = n % 5 === 0 ? 60_00 : 100 + (n % 97);
  const [bet, next] = [`k-b${n}`, `k-n${n}`];
  const first: Step = {
    seat,
    kind: 'bet',
    id: bet,
    amount: stake,
    change: -stake,
    send: () => player.bet({ id: bet, amount: stake, round }),
  };
  const won = stake + 200;
  if (n % 3 === 0) {
    const send = () => player.win({ id: next, bet, amount: won, round });
    return [first, { seat, kind: 'win', id: next, amount: won, change: won, send }];
  }
  if (n % 3 === 1) return [first];
  const send = () => player.rollback({ id: next, of: bet, round });
  return [first, { seat, kind: 'rollback', id: next, amount: stake, change: stake, send }];
}

/** Sends the same call again until the answer is not the dialect's code for "try again". */
async function settle(wallet: CrashingWallet, { seat, send }: Step): Promise<DialectAnswer> {
  for (;;) {
    await wallet.isUp();
    try {
      const answer = await send();
      if (answer.ok || answer.code !== retryable[seat.dialect]) return answer;
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Whether `fetch` failed because the connection broke. */
const isLost = (error: unknown): boolean =>
  error instanceof TypeError && /fetch failed|terminated/.test(error.message);

export async function expectNothingLost(
  wallet: CrashingWallet,
  wanted: { dialects: readonly DialectName[]; crashes: number; callers: number },
): Promise<void> {
  const { given } = wallet;
  const owner = await given.package({ credit: '1000000.00' });
  const seats = await takeSeats(wallet, owner, wanted.dialects);
  const settled: Settled[] = [];
  let [stories, stopping] = [0, false];
  const call = async () => {
    while (!stopping) {
      const n = ++stories;
      for (const step of makeStory(seats[n % seats.length] as Seat, n)) {
        const answer = await settle(wallet, step);
        settled.push({ ...step, answer });
        if (answer.ok) continue;
        expect([step.kind, answer.code]).toEqual(['bet', noFunds[step.seat.dialect]]);
        break;
      }
    }
  };
  const running = runningBeside(Array.from({ length: wanted.callers }, call));
  try {
    for (let i = 0; i < wanted.crashes; i++) {
      const enough = settled.length + wanted.callers * answersPerCaller * (0.5 + Math.random());
      await Promise.race([running, eventually(() => expect(settled.length).toBeGreaterThan(enough))]);
      await wallet.crash();
      await wallet.restart();
    }
  } finally {
    stopping = true;
  }
  await running;
  await expectSettledOnce(given, owner, settled);
  await expectBalances(seats, settled);
  await expectSameAnswers(wallet, settled.slice(-20));
  await expectBalances(seats, settled);
  expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
}

/**
 * Every accepted call has one row with its amount, and a refused call has no row. A cancel of Valkyrie also
 * has a row with the amount 0 for the promo account.
 */
async function expectSettledOnce(given: Given, owner: GivenPackage, settled: readonly Settled[]) {
  const { rows } = await given.db.query<{ transaction_id: string; amount: bigint }>(
    `select transaction_id, amount from journal
     where package_id = $1 and transaction_id like 'k-%' and amount > 0`,
    [owner.id],
  );
  const stored = rows.map((row) => `${row.transaction_id} ${row.amount}`);
  const accepted = settled.filter(({ answer }) => answer.ok).map(({ id, amount }) => `${id} ${amount}`);
  expect(stored.sort()).toEqual(accepted.sort());
}

async function expectBalances(seats: readonly Seat[], settled: readonly Settled[]): Promise<void> {
  for (const seat of seats) {
    const accepted = settled.filter((each) => each.seat === seat && each.answer.ok);
    const wanted = accepted.reduce((sum, { change }) => sum + change, fundsCents);
    expect([seat.dialect, (await seat.player.balance()).balance]).toEqual([seat.dialect, wanted]);
  }
}

/** Repeats the accepted calls after the restart. The wallet must accept each repeat. */
async function expectSameAnswers(wallet: CrashingWallet, settled: readonly Settled[]): Promise<void> {
  for (const step of settled.filter(({ answer }) => answer.ok)) {
    const again = await settle(wallet, step);
    // Valkyrie answers repeats with the current balance, so only the acceptance is compared.
    const wanted = step.seat.dialect === 'valkyrie' ? { ok: true } : step.answer;
    expect(again, step.id).toMatchObject(wanted);
  }
}
