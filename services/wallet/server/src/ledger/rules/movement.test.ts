// The accounts of a movement, the codes of its kind and result, and a player's two purses.
import { describe, expect, it } from 'vitest';
import {
  accountOfPurse,
  cashAccountOf,
  changeOf,
  creditAccount,
  firstPlayerAccount,
  getSubject,
  houseAccount,
  isBet,
  isFinalRefusal,
  isOfGame,
  isPromoAccount,
  issuanceAccount,
  type Kind,
  kindOf,
  kinds,
  type Movement,
  maxBalance,
  movesMoney,
  promoAccountOf,
  type Result,
  resultOf,
  results,
} from './movement.ts';

const ann = 1001n;

const movementOf = (given: Partial<Movement>) =>
  ({ result: 'applied', amount: 5n, debitBalance: 10n, creditBalance: 20n, ...given }) as Movement;

it('the codes of stored movements never change', () => {
  expect(kinds).toEqual({
    credit: 1,
    debit: 2,
    top_up: 3,
    top_up_reversal: 4,
    bet: 5,
    win: 6,
    bet_of_bet_win: 7,
    win_of_bet_win: 8,
    rollback: 9,
    end_round: 10,
    win_reversal: 11,
  });
  expect(results).toEqual({
    applied: 0,
    recorded: 1,
    late: 2,
    rolled_back: 3,
    already_rolled_back: 4,
    tombstoned: 5,
    nothing_to_roll_back: 6,
    closed: 7,
    insufficient_funds: 8,
    package_credit_exhausted: 9,
    balance_limit: 10,
  });
  const accounts = [creditAccount, houseAccount, issuanceAccount, firstPlayerAccount];
  expect(accounts).toEqual([1n, 2n, 3n, 1001n]);
  expect(maxBalance).toBe(999_999_999_999_999n);
});

it('every code is decoded to its name, and an unknown code is an error', () => {
  for (const [name, code] of Object.entries(kinds)) expect(kindOf(code)).toBe(name);
  for (const [name, code] of Object.entries(results)) expect(resultOf(code)).toBe(name);
  expect(() => kindOf(12)).toThrow('unknown code 12');
});

const kindsThat = (holds: (movement: { kind: Kind }) => boolean) =>
  (Object.keys(kinds) as Kind[]).filter((kind) => holds({ kind }));
const resultsThat = (holds: (result: Result) => boolean) => (Object.keys(results) as Result[]).filter(holds);

it('all movements except transfers and top-ups are movements of games', () => {
  expect(kindsThat((each) => !isOfGame(each))).toEqual(['credit', 'debit', 'top_up', 'top_up_reversal']);
  expect(kindsThat(isBet)).toEqual(['bet', 'bet_of_bet_win']);
});

it('the results applied, late and rolled_back move money; three other results are final refusals', () => {
  expect(resultsThat(movesMoney)).toEqual(['applied', 'late', 'rolled_back']);
  expect(resultsThat(isFinalRefusal)).toEqual([
    'insufficient_funds',
    'package_credit_exhausted',
    'balance_limit',
  ]);
});

describe('the subject of a movement', () => {
  it.each([
    ['the player who pays', ann, houseAccount, { account: ann, balance: 10n }],
    ['the player who is paid', houseAccount, ann, { account: ann, balance: 20n }],
    ['the first player', firstPlayerAccount, houseAccount, { account: firstPlayerAccount, balance: 10n }],
    ['the credit that is topped up', issuanceAccount, creditAccount, { account: 1n, balance: 20n }],
    ['the credit that is taken back', creditAccount, issuanceAccount, { account: 1n, balance: 10n }],
  ])('a movement belongs to %s', (_name, debitAccount, credit, subject) => {
    expect(getSubject(movementOf({ debitAccount, creditAccount: credit }))).toEqual(subject);
  });
});

it('a movement changes two balances by its amount, and a refusal changes none', () => {
  const bet = movementOf({ debitAccount: ann, creditAccount: houseAccount });
  expect([ann, houseAccount, creditAccount].map((id) => changeOf(bet, id))).toEqual([-5n, 5n, 0n]);
  const refused = { ...bet, result: 'insufficient_funds' } as const;
  expect([ann, houseAccount].map((id) => changeOf(refused, id))).toEqual([0n, 0n]);
});

describe('the promo account', () => {
  it('the promo account has the number of the cash account plus 10^12', () => {
    expect(promoAccountOf(ann)).toBe(1_000_000_001_001n);
    expect(cashAccountOf(promoAccountOf(ann))).toBe(ann);
    expect(cashAccountOf(ann)).toBe(ann);
  });

  it('the promo account is recognised by its number', () => {
    expect([ann, 999_999_999_999n, 1_000_000_000_000n, promoAccountOf(ann)].map(isPromoAccount)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('the cash purse uses the account of the player, and the promo purse uses the promo account', () => {
    expect(accountOfPurse(ann, 'cash')).toBe(ann);
    expect(accountOfPurse(ann, 'promo')).toBe(promoAccountOf(ann));
  });
});
