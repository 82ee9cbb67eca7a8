// Sends four or five calls of every dialect, some of them repeats, in every order. The answers must match a
// model of the ledger's rules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialectNames } from '../../src/connections/dialects/dialect.ts';
import { type DialectDriver, openDriver } from '../environment/dialect-drivers.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { back, bet, lastWin, otherBack, otherBet, playAll, win } from './dialect-orders.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000000.00' });
});

afterAll(() => given.close());

describe.each(dialectNames)(
  'every permutation of calls in the dialect %s gets the answers of the model',
  (dialect) => {
    let driver: DialectDriver;
    beforeAll(async () => {
      driver = await openDriver(given, owner, dialect);
    });

    it('every permutation matches the model: bet, two wins, a repeat of one and a rollback', async () => {
      const events = [bet, win, lastWin, lastWin, back];
      expect(await playAll({ given, owner, driver, dialect }, events, '10.00')).toEqual([]);
    });

    it('all permutations match the model: bet without funds, its repeat, two wins, a rollback', async () => {
      const events = [bet, bet, win, lastWin, back];
      expect(await playAll({ given, owner, driver, dialect }, events, '3.00')).toEqual([]);
    });

    it('two bets that together exceed the balance and two rollbacks match the model', async () => {
      const events = [bet, otherBet, back, otherBack];
      expect(await playAll({ given, owner, driver, dialect }, events, '8.00')).toEqual([]);
    });
  },
);
