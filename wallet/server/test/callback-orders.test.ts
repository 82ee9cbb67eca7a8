// Callbacks in every order, repeated, and after a restart: held against the naive model of the contract.

import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWalletApp } from '../src/app.ts';
import { readCallback } from '../src/callbacks/read-callback.ts';
import { toCommand } from '../src/callbacks/to-command.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { openLedgerDb } from '../src/ledger/open-ledger-db.ts';
import { getAccount } from '../src/players/get-account.ts';
import { createProvider, type Provider } from './callbacks.ts';
import { topUpOf, transferOf } from './commands.ts';
import { type Given, type GivenPackage, givenWallet } from './given.ts';
import { type Answer, createModel, strictly } from './model/model.ts';

let given: Given;
let owner: GivenPackage;
let provider: Provider;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000000.00' });
  provider = createProvider(given, owner);
});

afterAll(() => given.close());

type Body = Parameters<typeof readCallback>[0];

/** All orders of the list; equal entries are told apart by nothing, so each order comes once. */
function ordersOf<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  const firsts = list.filter((each, i) => list.indexOf(each) === i);
  return firsts.flatMap((first) => {
    const rest = list.filter((_, i) => i !== list.indexOf(first));
    return ordersOf(rest).map((order) => [first, ...order]);
  });
}

/** What the contract makes of the model's answer: the status, and the result or the code. */
function wordsOf(answer: Answer): string[] {
  if (answer.kind === 'conflict') return ['409 transaction_conflict'];
  const statuses: Record<string, number> = { bet_not_found: 404 };
  if (answer.kind === 'refused') {
    return answer.codes.map((code) => `${statuses[code] ?? 409} ${code}`);
  }
  const results = answer.entries.map((entry) => entry.result);
  const [refusal] = results.filter((result) => /funds|limit/.test(result));
  if (refusal) return [`422 ${refusal}`];
  const result = results.includes('applied') ? 'applied' : results.at(-1);
  return [`200 ${result} ${answer.kind === 'repeated'}`];
}

let counter = 0;

/** Plays one order with a player of its own and says where the service and the model part. */
async function play(order: readonly Body[], funds: string): Promise<string[]> {
  const own = `o${++counter}`;
  const player = await given.player(owner, { playerId: own, balance: funds });
  const account = await getAccount(given.db, owner.id, player);
  const model = createModel(0n, strictly);
  const amount = BigInt(funds.replace('.', ''));
  model.tell(topUpOf('top_up', { id: 'x', amount }));
  model.tell(transferOf('credit', { id: 'y', account, amount }));
  const faults: string[] = [];
  for (const step of order) {
    const body = { ...step, player_id: player };
    for (const name of ['transaction_id', 'reference_transaction_id', 'round_id'] as const) {
      if (typeof body[name] === 'string') body[name] = `${own}-${body[name]}`;
    }
    const callback = readCallback(body, 'EUR');
    if (callback.action === 'balance') throw new Error('not a play');
    const wanted = wordsOf(model.tell(toCommand(callback, account, undefined)));
    const { status, body: said } = await provider.send(body);
    const got =
      status === 200 ? `200 ${said.data.result} ${said.data.duplicate}` : `${status} ${said.code}`;
    if (!wanted.includes(got)) faults.push(`${step.action}: ${got}, wanted ${wanted}`);
  }
  const balance = await provider.balance(player);
  if (balance !== Number(model.balance(account)) / 100) faults.push(`holds ${balance}`);
  const told = order.map((step) => `${step.action} ${step.transaction_id ?? ''}`).join(', ');
  return faults.map((fault) => `[${told}] ${fault}`);
}

async function playAll(events: readonly Body[], funds: string): Promise<string[]> {
  const waiting = ordersOf(events);
  const faults: string[] = [];
  const player = async () => {
    for (let order = waiting.pop(); order; order = waiting.pop()) {
      faults.push(...(await play(order, funds)));
    }
  };
  await Promise.all(Array.from({ length: 32 }, player));
  return faults;
}

const bet: Body = {
  action: 'bet',
  player_id: '',
  transaction_id: 'b',
  amount: 4,
  round_id: 'r',
};
const win: Body = {
  action: 'win',
  player_id: '',
  transaction_id: 'w',
  amount: 7,
  round_id: 'r',
  reference_transaction_id: 'b',
};
const promotion: Body = { action: 'win', player_id: '', transaction_id: 'p', amount: 3 };
const back: Body = {
  action: 'rollback',
  player_id: '',
  transaction_id: 'k',
  reference_transaction_id: 'b',
};
const otherBack: Body = { ...back, action: 'refund', transaction_id: 'k2' };
const both: Body = {
  action: 'bet_win',
  player_id: '',
  transaction_id: 'b',
  bet_amount: 4,
  win_amount: 1,
  round_id: 'r',
};
const end: Body = { action: 'end_round', player_id: '', round_id: 'r' };

describe('in every order', () => {
  it('a bet, its win, their repeats, a rollback and the end of the round', async () => {
    expect(await playAll([bet, bet, win, win, back, end], '10.00')).toEqual([]);
  });

  it('the same without the money for the bet', async () => {
    expect(await playAll([bet, bet, win, win, back, end], '3.00')).toEqual([]);
  });

  it('two rollbacks of one bet, and a win without a reference that pays for it', async () => {
    expect(await playAll([bet, back, otherBack, promotion, win], '2.00')).toEqual([]);
  });

  it('a bet_win under the id of a bet, with a rollback and the end of the round', async () => {
    expect(await playAll([both, both, bet, back, end], '5.00')).toEqual([]);
  });
});

it('the same bet 50 times, and again after a restart: one debit', async () => {
  const player = await given.player(owner, { balance: '10.00' });
  const once = { action: 'bet', player_id: player, transaction_id: 'restart', amount: 1 };
  await Promise.all(Array.from({ length: 50 }, () => provider.send(once)));
  const { logger } = captureLog('wallet');
  const ledgerDb = openLedgerDb({ url: given.config.databaseUrl, logger });
  const ledger = createLedger({ db: ledgerDb, now: () => given.clock.now });
  const { config, db, upstream } = given;
  const readiness = { draining: false };
  const app = await buildWalletApp({
    ...{ config, db, upstream, ledger, logger, readiness },
    migrations: [],
    now: () => given.clock.now,
  });
  try {
    const again = createProvider({ ...given, app }, owner);
    const answers = await Promise.all(Array.from({ length: 50 }, () => again.send(once)));
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        body: { data: { duplicate: true, balance: 9 } },
      });
    }
    // And what the other process has not seen yet is found by both.
    const fresh = { ...once, transaction_id: 'both-ways' };
    const mixed = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? again : provider).send(fresh)),
    );
    expect(mixed.filter((answer) => answer.body.data?.duplicate === false)).toHaveLength(1);
    expect(mixed.every((answer) => answer.status === 200)).toBe(true);
  } finally {
    await app.close();
    await ledgerDb.end();
  }
  expect(await provider.balance(player)).toBe(8);
});
