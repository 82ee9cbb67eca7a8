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

it('every permutation matches the model: bet, its win, their repeats, rollback, end_round', async () => {
  expect(await playAll({ given, owner }, [bet, bet, win, win, back, end], '10.00')).toEqual([]);
});

it('all permutations match the model: bet without funds, its win, repeats, rollback, end_round', async () => {
  expect(await playAll({ given, owner }, [bet, bet, win, win, back, end], '3.00')).toEqual([]);
});

it('every permutation matches the model: bet, its win, two rollbacks, a win to fund the bet', async () => {
  const events = [bet, back, otherBack, promotion, win];
  expect(await playAll({ given, owner }, events, '2.00')).toEqual([]);
});

it('every permutation matches the model: bet_win, repeat, bet with its id, rollback, end_round', async () => {
  expect(await playAll({ given, owner }, [both, both, bet, back, end], '5.00')).toEqual([]);
});
