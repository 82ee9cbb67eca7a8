// Callbacks in every order, repeated, and after a restart, compared with a simple model of the contract.
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWalletApp } from '../../src/app.ts';
import { createLedger } from '../../src/ledger/engine/ledger.ts';
import { openLedgerDb } from '../../src/ledger/open-ledger-db.ts';
import { createProvider, type Provider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { back, bet, both, end, otherBack, playAll, promotion, win } from './callback-orders.ts';

let given: Given;
let owner: GivenPackage;
let provider: Provider;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000000.00' });
  provider = createProvider(given, owner);
});

afterAll(() => given.close());

describe('callbacks in every order', () => {
  it('every permutation matches the model: bet, its repeat, its win, rollback, end_round', async () => {
    expect(await playAll({ given, owner }, [bet, bet, win, back, end], '10.00')).toEqual([]);
  });

  it('all permutations match the model: bet without funds, its win twice, rollback, end_round', async () => {
    expect(await playAll({ given, owner }, [bet, win, win, back, end], '3.00')).toEqual([]);
  });

  it('every permutation matches the model: bet, two rollbacks, a win that funds the bet', async () => {
    expect(await playAll({ given, owner }, [bet, back, otherBack, promotion], '2.00')).toEqual([]);
  });

  it('every permutation matches the model: bet_win, bet with its id, rollback, end_round', async () => {
    expect(await playAll({ given, owner }, [both, bet, back, end], '5.00')).toEqual([]);
  });
});

it('a bet that is sent 50 times to each of two processes is debited once', async () => {
  const player = await given.player(owner, { balance: '10.00' });
  const once = { action: 'bet', player_id: player, transaction_id: 'restart', amount: 1 };
  await Promise.all(Array.from({ length: 50 }, () => provider.send(once)));
  const { logger } = captureLog('wallet');
  const ledgerDb = openLedgerDb({ url: given.config.databaseUrl, logger });
  const ledger = createLedger({ db: ledgerDb, now: () => given.clock.now });
  const { config, db, upstream } = given;
  const readiness = { draining: false };
  const app = await buildWalletApp({
    config,
    db,
    upstream,
    ledger,
    logger,
    readiness,
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
    // Each process gets half of these 50 equal bets. Only one of the bets is applied.
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
