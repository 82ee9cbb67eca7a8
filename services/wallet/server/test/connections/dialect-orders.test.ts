// Sends calls of every dialect in every order. The answers must match a simple model of the ledger's rules.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dialectNames } from '../../src/connections/dialects/dialect.ts';
import { openDriver } from '../environment/dialect-drivers.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { back, bet, lastWin, playAll } from './dialect-orders.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '100000.00' });
});

afterAll(() => given.close());

it.each(dialectNames)(
  'in the dialect %s, all permutations of bet, repeat, win and rollback get the answers of the model',
  async (dialect) => {
    const driver = await openDriver(given, owner, dialect);
    const table = { given, owner, driver, dialect };
    expect(await playAll(table, [bet, bet, lastWin, back], '10.00')).toEqual([]);
  },
);
