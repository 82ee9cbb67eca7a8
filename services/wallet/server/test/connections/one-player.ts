// One player plays over the wallet's own protocol and over dialects. At the same time, the operator pays the
// player.
import { expect } from 'vitest';
import type { DialectName } from '../../src/connections/dialects/dialect.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { callbackHeaders } from '../environment/callbacks.ts';
import { type DialectPlayer, openDriver, retryable } from '../environment/dialect-drivers.ts';
import type { Given, GivenPackage } from '../environment/given.ts';
import { readBooks } from '../ledger/model/journal.ts';

/** Two movements that are sent one after the other. `change` is the sum of both in cents. */
interface Story {
  readonly change: number;
  readonly steps: readonly [first: () => Promise<boolean>, second: () => Promise<boolean>];
}

type MakeStory = (n: number) => Story;

const stakeOf = (n: number) => 1 + (n % 313);
const wonBy = (n: number) => 1 + (n % 419);

/** Sends a request of the wallet's own protocol. Resolves to false if the request must be sent again. */
const createSend =
  (origin: string, path: string, headers: Record<string, string>) =>
  async (body: object): Promise<boolean> => {
    const answer = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status === 429 || answer.status === 503) return false;
    expect([answer.status, text]).toEqual([200, text]);
    return true;
  };

/** The operator credits the player, and then takes back a part of the credit. */
function payPlayer(origin: string, owner: GivenPackage, player_id: string): MakeStory {
  const send = createSend(origin, '/api/v1/user/update_balance', owner.headers);
  return (n) => {
    const [credit, debit] = [wonBy(n) + 500, stakeOf(n)];
    const order = (type: 'credit' | 'debit', cents: number) =>
      send({ player_id, type, amount: cents / 100, transaction_id: `m-${n}-${type}` });
    return { change: credit - debit, steps: [() => order('credit', credit), () => order('debit', debit)] };
  };
}

/** Makes a bet of the wallet's own protocol, and then the win or the rollback of the bet. */
function sendCallbacks(origin: string, owner: GivenPackage, player_id: string): MakeStory {
  const send = createSend(origin, '/api/v1/game/callback', callbackHeaders(owner));
  return (n) => {
    const [stake, won] = [stakeOf(n), wonBy(n)];
    const bet = { action: 'bet', player_id, transaction_id: `m-${n}-bet`, amount: stake / 100 };
    const second = { player_id, transaction_id: `m-${n}-end`, reference_transaction_id: bet.transaction_id };
    return n % 3 === 0
      ? { change: 0, steps: [() => send(bet), () => send({ ...second, action: 'rollback' })] }
      : {
          change: won - stake,
          steps: [() => send(bet), () => send({ ...second, action: 'win', amount: won / 100 })],
        };
  };
}

/** Makes a bet of a dialect, and then the win or the rollback of the bet. */
function playDialect(dialect: DialectName, player: DialectPlayer): MakeStory {
  const isDone = async (sent: ReturnType<DialectPlayer['balance']>) => {
    const answer = await sent;
    if (!answer.ok) expect([dialect, answer.body, answer.code]).toContain(retryable[dialect]);
    return answer.ok;
  };
  return (n) => {
    const [stake, won, round] = [stakeOf(n), wonBy(n), `m-${n}`];
    const [bet, end] = [`m-${n}-bet`, `m-${n}-end`];
    const first = () => isDone(player.bet({ id: bet, amount: stake, round }));
    const win = () => isDone(player.win({ id: end, bet, amount: won, round, finished: true }));
    const rollback = () => isDone(player.rollback({ id: end, of: bet, round }));
    return n % 3 === 0
      ? { change: 0, steps: [first, rollback] }
      : { change: won - stake, steps: [first, win] };
  };
}

/** Repeats a call until it succeeds. For every eighth `n`, the call is sent twice at the same time. */
async function settle(send: () => Promise<boolean>, n: number): Promise<void> {
  const untilDone = async () => {
    while (!(await send())) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await Promise.all(n % 8 === 0 ? [untilDone(), untilDone()] : [untilDone()]);
}

const fundsCents = 10_000_000;

export interface Figures {
  readonly movements: number;
  readonly balanceCents: number;
  readonly verifiedRows: number;
}

/** Makes this number of movements, and checks their rows, the player's balance and the hash chain. */
export async function expectExactSum(
  given: Given,
  wanted: { origin: string; movements: number; inFlight: number; dialects: readonly DialectName[] },
): Promise<Figures> {
  const { origin, movements } = wanted;
  const owner = await given.package({ credit: '10000000.00' });
  const playerId = await given.player(owner, { balance: '100000.00' });
  const kinds = [payPlayer(origin, owner, playerId), sendCallbacks(origin, owner, playerId)];
  for (const dialect of wanted.dialects) {
    const driver = await openDriver(given, owner, dialect, origin);
    kinds.push(playDialect(dialect, await driver.player({ playerId })));
  }
  let [next, balanceCents] = [0, fundsCents];
  const call = async () => {
    for (let n = next++; n < movements / 2; n = next++) {
      const { change, steps } = (kinds[n % kinds.length] as MakeStory)(n);
      for (const step of steps) await settle(step, n);
      balanceCents += change;
    }
  };
  await Promise.all(Array.from({ length: wanted.inFlight }, call));
  const read = await fetch(`${origin}/api/v1/user/balance?player_id=${playerId}`, { headers: owner.headers });
  const { data } = (await read.json()) as { data: { balance: number } };
  expect(Math.round(data.balance * 100)).toBe(balanceCents);
  const books = await readBooks(given.db, owner.id);
  const moved = books.rows.filter((row) => row.transactionId.startsWith('m-') && row.amount > 0n);
  expect(moved).toHaveLength(movements);
  expect([...books.accounts.values()].reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
  const verified = await verifyLedger(given.db, owner.id);
  expect(verified.flaws).toEqual([]);
  return { movements: moved.length, balanceCents, verifiedRows: books.rows.length };
}
