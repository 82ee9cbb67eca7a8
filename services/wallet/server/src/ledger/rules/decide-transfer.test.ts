// The ledger's rules for credits, debits and top-ups.
import { describe, expect, it } from 'vitest';
import { createBooks } from '../../../test/environment/books.ts';
import { ann, betOf, bob, topUpOf, transferOf, winOf } from '../../../test/environment/command-line.ts';
import { creditAccount, houseAccount, issuanceAccount, maxBalance, promoAccountOf } from './movement.ts';

const credit = (amount: bigint, id = 'c', account = ann) => transferOf('credit', { id, amount, account });
const debit = (amount: bigint, id = 'd', account = ann) => transferOf('debit', { id, amount, account });

describe('the accounts that each command debits and credits', () => {
  it.each([
    ['a credit debits the package and credits the player', credit(5n), creditAccount, ann],
    ['a debit debits the player and credits the package', debit(5n), ann, creditAccount],
    [
      'a top-up debits issuance and credits the package',
      topUpOf('top_up', { id: 't', amount: 5n }),
      issuanceAccount,
      creditAccount,
    ],
    [
      'a top-up reversal debits the package and credits issuance',
      topUpOf('top_up_reversal', { id: 't', amount: 5n }),
      creditAccount,
      issuanceAccount,
    ],
    ['a bet debits the player and credits the house', betOf({ id: 'b', amount: 5n }), ann, houseAccount],
    ['a win debits the house and credits the player', winOf({ id: 'w', amount: 5n }), houseAccount, ann],
  ])('%s', (_name, command, from, to) => {
    const books = createBooks({ credit: 100n, ann: 100n });
    const before = [books.balance(from), books.balance(to)] as const;
    expect(books.apply(command).word).toBe('applied');
    expect([books.balance(from), books.balance(to)]).toEqual([before[0] - 5n, before[1] + 5n]);
    const all = [creditAccount, houseAccount, issuanceAccount, ann, bob].map(books.balance);
    expect(all.reduce((sum, each) => sum + each, 0n)).toBe(0n);
  });
});

describe('the lower limits of balances', () => {
  it.each([
    ['a debit of the whole balance is applied', { ann: 10n }, debit(10n), 'applied'],
    ['a debit above the balance is refused', { ann: 10n }, debit(11n), 'insufficient_funds'],
    ['a credit of the whole package credit is applied', { credit: 10n }, credit(10n), 'applied'],
    [
      'a credit above the package credit is refused',
      { credit: 10n },
      credit(11n),
      'package_credit_exhausted',
    ],
    [
      'a credit that uses the whole overdraft is applied',
      { credit: 10n, overdraftLimit: 5n },
      credit(15n),
      'applied',
    ],
    [
      'a credit above the overdraft limit is refused',
      { credit: 10n, overdraftLimit: 5n },
      credit(16n),
      'package_credit_exhausted',
    ],
    [
      'a reversal of the whole package credit is applied',
      { credit: 10n },
      topUpOf('top_up_reversal', { id: 't', amount: 10n }),
      'applied',
    ],
    [
      'a reversal above the package credit is refused',
      { credit: 10n },
      topUpOf('top_up_reversal', { id: 't', amount: 11n }),
      'package_credit_exhausted',
    ],
  ])('%s', (_name, given, command, word) => {
    const books = createBooks(given);
    const applied = books.apply(command);
    expect(applied.word).toBe(word);
    expect(applied.stored).toBe(true);
  });

  it('a refusal contains the balance and moves no money', () => {
    const books = createBooks({ ann: 10n });
    const applied = books.apply(debit(11n));
    expect(applied.balance).toBe(10n);
    expect([books.balance(ann), books.balance(creditAccount)]).toEqual([10n, 0n]);
  });

  it('debits, bets and wins need no package credit', () => {
    const books = createBooks({ ann: 10n });
    expect(books.balance(creditAccount)).toBe(0n);
    const words = books.applyAll(
      debit(1n),
      transferOf('credit', { id: 'back', amount: 1n }),
      betOf({ id: 'b', amount: 1n }),
      winOf({ id: 'w', amount: 1000n }),
    );
    expect(words).toEqual(['applied', 'applied', 'applied', 'applied']);
  });
});

describe('the upper limits of balances', () => {
  it.each([
    [
      'a credit to a balance of 10^15-1 is applied',
      { credit: 1n, ann: maxBalance - 1n },
      credit(1n),
      'applied',
    ],
    [
      'a credit to a balance above 10^15-1 is refused',
      { credit: 2n, ann: maxBalance - 1n },
      credit(2n),
      'balance_limit',
    ],
    [
      'a top-up to a package credit of 10^15-1 is applied',
      { credit: maxBalance - 1n },
      topUpOf('top_up', { id: 't', amount: 1n }),
      'applied',
    ],
    [
      'a top-up to a package credit above 10^15-1 is refused',
      { credit: maxBalance - 1n },
      topUpOf('top_up', { id: 't', amount: 2n }),
      'balance_limit',
    ],
    [
      'a debit to a package credit above 10^15-1 is refused',
      { ann: 5n, credit: maxBalance - 4n },
      debit(5n),
      'balance_limit',
    ],
    [
      'a debit to a package credit of 10^15-1 is applied',
      { ann: 5n, credit: maxBalance - 5n },
      debit(5n),
      'applied',
    ],
  ])('%s', (_name, given, command, word) => {
    const applied = createBooks(given).apply(command);
    expect([applied.word, applied.stored]).toEqual([word, true]);
  });
});

describe('one id moves money at most once', () => {
  it('a repeat with the same content gets the same answer and changes nothing', () => {
    const books = createBooks({ credit: 100n });
    const first = books.apply(credit(5n));
    books.apply(credit(7n, 'other'));
    const again = books.apply(credit(5n));
    expect(again.word).toBe('repeated applied');
    expect(again.stored).toBe(false);
    expect(again.balance).toBe(first.balance);
    expect(books.balance(ann)).toBe(12n);
  });

  it.each([
    ['player_id', credit(5n, 'c', bob)],
    ['purse', credit(5n, 'c', promoAccountOf(ann))],
    ['type', debit(5n, 'c')],
    ['amount', credit(6n)],
    ['note', transferOf('credit', { id: 'c', amount: 5n, note: 'another' })],
  ])('a repeat with a different %s is a conflict that names the field', (field, command) => {
    const books = createBooks({ credit: 100n, bob: 10n });
    books.apply(credit(5n));
    const applied = books.apply(command);
    expect([applied.word, applied.stored]).toEqual([`conflict ${field}`, false]);
    expect(books.balance(ann)).toBe(5n);
  });

  it('a missing note equals an empty note', () => {
    const books = createBooks({ credit: 100n });
    books.apply(transferOf('credit', { id: 'c', amount: 5n }));
    const again = books.apply(transferOf('credit', { id: 'c', amount: 5n, note: '' }));
    expect(again.word).toBe('repeated applied');
  });

  it.each([
    ['a debit without funds', {}, debit(5n), credit(50n, 'fund'), 'insufficient_funds'],
    ['a credit without package credit', {}, credit(5n), debit(1n, 'x'), 'package_credit_exhausted'],
    [
      'a credit above the balance limit',
      { credit: 5n, ann: maxBalance },
      credit(5n),
      debit(9n, 'room'),
      'balance_limit',
    ],
  ])(
    'the order “%s” stays refused even if a new order would succeed',
    (_name, given, command, between, word) => {
      const books = createBooks(given);
      expect(books.apply(command).word).toBe(word);
      books.apply(topUpOf('top_up', { id: 'later', amount: 100n }));
      books.apply(between);
      const again = books.apply(command);
      expect([again.word, again.stored]).toEqual([`repeated ${word}`, false]);
    },
  );

  it('a debit with the id of a refused debit but a different amount is a conflict', () => {
    const books = createBooks({});
    books.apply(debit(5n));
    expect(books.apply(debit(4n)).word).toBe('conflict amount');
  });

  it.each([
    ['type', topUpOf('top_up_reversal', { id: 't', amount: 5n })],
    ['amount', topUpOf('top_up', { id: 't', amount: 6n })],
    ['note', topUpOf('top_up', { id: 't', amount: 5n, note: 'x' })],
  ])('a repeated top-up with a different %s is a conflict that names the field', (field, command) => {
    const books = createBooks({});
    const topUp = topUpOf('top_up', { id: 't', amount: 5n });
    expect(books.applyAll(topUp, topUp, command)).toEqual([
      'applied',
      'repeated applied',
      `conflict ${field}`,
    ]);
    expect(books.balance(creditAccount)).toBe(5n);
  });

  it('a top-up, a credit, a bet and a win with the same id are all applied', () => {
    const books = createBooks({ ann: 100n, credit: 100n });
    const words = books.applyAll(
      topUpOf('top_up', { id: '1', amount: 1n }),
      credit(1n, '1'),
      betOf({ id: '1', amount: 1n }),
      winOf({ id: '1', amount: 1n }),
    );
    expect(words).toEqual(['applied', 'applied', 'applied', 'applied']);
  });
});
