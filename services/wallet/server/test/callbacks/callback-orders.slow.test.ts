// Up to six callbacks and repeats in every order, compared with a simple model of the contract.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { back, bet, both, end, otherBack, playAll, promotion, win } from './callback-orders.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000000.00' });
});

afterAll(() => given.close());

it('a bet, its win, their repeats, a rollback and the end of the round', async () => {
  expect(await playAll({ given, owner }, [bet, bet, win, win, back, end], '10.00')).toEqual([]);
});

it('the same without funds for the bet', async () => {
  expect(await playAll({ given, owner }, [bet, bet, win, win, back, end], '3.00')).toEqual([]);
});

it('two rollbacks of one bet, its win, and a win without a reference that pays for it', async () => {
  const events = [bet, back, otherBack, promotion, win];
  expect(await playAll({ given, owner }, events, '2.00')).toEqual([]);
});

it('a bet_win and its repeat under the id of a bet, with a rollback and the end of the round', async () => {
  expect(await playAll({ given, owner }, [both, both, bet, back, end], '5.00')).toEqual([]);
});
