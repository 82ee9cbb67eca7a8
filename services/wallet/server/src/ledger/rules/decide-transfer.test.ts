// Credits, debits and top-ups, rule by rule.
import { describe, expect, it } from 'vitest';
import { createBooks } from '../../../test/environment/books.ts';
import {
  ann,
  betOf,
  bob,
  topUpOf,
  transferOf,
  winOf,
} from '../../../test/environment/command-line.ts';
import { creditAccount, houseAccount, issuanceAccount, maxBalance } from './movement.ts';

const credit = (amount: bigint, id = 'c', account = ann) =>
  transferOf('credit', { id, amount, account });
const debit = (amount: bigint, id = 'd', account = ann) =>
  transferOf('debit', { id, amount, account });

describe('the accounts that each command debits and credits', () => {
  it.each([
    ['a credit takes from the package and gives to the player', credit(5n), creditAccount, ann],
    ['a debit gives it back', debit(5n), ann, creditAccount],
    [
      'a top-up comes from issuance',
      topUpOf('top_up', { id: 't', amount: 5n }),
      issuanceAccount,
      creditAccount,
    ],
    [
      'its reverse goes back there',
      topUpOf('top_up_reversal', { id: 't', amount: 5n }),
      creditAccount,
      issuanceAccount,
    ],
    ['a bet goes into the house', betOf({ id: 'b', amount: 5n }), ann, houseAccount],
    ['a win comes out of it', winOf({ id: 'w', amount: 5n }), houseAccount, ann],
  ])('%s', (_name, command, from, to) => {
    const books = createBooks({ credit: 100n, ann: 100n });
    const before = [books.balance(from), books.balance(to)] as const;
    expect(books.apply(command).word).toBe('applied');
    expect([books.balance(from), books.balance(to)]).toEqual([before[0] - 5n, before[1] + 5n]);
    const all = [creditAccount, houseAccount, issuanceAccount, ann, bob].map(books.balance);
    expect(all.reduce((sum, each) => sum + each, 0n)).toBe(0n);
  });
});

describe('floors', () => {
  it.each([
    ['a debit of the whole balance is applied', { ann: 10n }, debit(10n), 'applied'],
    ['a debit of one more is refused', { ann: 10n }, debit(11n), 'insufficient_funds'],
    ['a credit of the whole package credit is applied', { credit: 10n }, credit(10n), 'applied'],
    ['a credit of one more is refused', { credit: 10n }, credit(11n), 'package_credit_exhausted'],
    [
      'the overdraft may be used to the last unit',
      { credit: 10n, overdraftLimit: 5n },
      credit(15n),
      'applied',
    ],
    [
      'and not one unit further',
      { credit: 10n, overdraftLimit: 5n },
      credit(16n),
      'package_credit_exhausted',
    ],
    [
      'a top-up may be taken back whole',
      { credit: 10n },
      topUpOf('top_up_reversal', { id: 't', amount: 10n }),
      'applied',
    ],
    [
      'and no more than is there',
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

  it('only a credit of a player is refused for lack of package credit', () => {
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

describe('ceilings', () => {
  it.each([
    ['a player may hold 10^15-1', { credit: 1n, ann: maxBalance - 1n }, credit(1n), 'applied'],
    ['and not one more', { credit: 2n, ann: maxBalance - 1n }, credit(2n), 'balance_limit'],
    [
      'the package may hold 10^15-1',
      { credit: maxBalance - 1n },
      topUpOf('top_up', { id: 't', amount: 1n }),
      'applied',
    ],
    [
      'and not one more by a top-up',
      { credit: maxBalance - 1n },
      topUpOf('top_up', { id: 't', amount: 2n }),
      'balance_limit',
    ],
    ['nor by a debit', { ann: 5n, credit: maxBalance - 4n }, debit(5n), 'balance_limit'],
    ['up to it a debit is applied', { ann: 5n, credit: maxBalance - 5n }, debit(5n), 'applied'],
  ])('%s', (_name, given, command, word) => {
    const applied = createBooks(given).apply(command);
    expect([applied.word, applied.stored]).toEqual([word, true]);
  });
});

describe('one id moves money at most once, for ever', () => {
  it('the same content gives the same answer and changes nothing', () => {
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
    ['type', debit(5n, 'c')],
    ['amount', credit(6n)],
    ['note', transferOf('credit', { id: 'c', amount: 5n, note: 'another' })],
  ])('another %s is a conflict that names it', (field, command) => {
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
      'a credit without room',
      { credit: 5n, ann: maxBalance },
      credit(5n),
      debit(9n, 'room'),
      'balance_limit',
    ],
  ])('%s stays refused when it could be done', (_name, given, command, between, word) => {
    const books = createBooks(given);
    expect(books.apply(command).word).toBe(word);
    books.apply(topUpOf('top_up', { id: 'later', amount: 100n }));
    books.apply(between);
    const again = books.apply(command);
    expect([again.word, again.stored]).toEqual([`repeated ${word}`, false]);
  });

  it('other content under a refused id is a conflict too', () => {
    const books = createBooks({});
    books.apply(debit(5n));
    expect(books.apply(debit(4n)).word).toBe('conflict amount');
  });

  it.each([
    ['type', topUpOf('top_up_reversal', { id: 't', amount: 5n })],
    ['amount', topUpOf('top_up', { id: 't', amount: 6n })],
    ['note', topUpOf('top_up', { id: 't', amount: 5n, note: 'x' })],
  ])('a top-up with another %s is a conflict that names it', (field, command) => {
    const books = createBooks({});
    const topUp = topUpOf('top_up', { id: 't', amount: 5n });
    expect(books.applyAll(topUp, topUp, command)).toEqual([
      'applied',
      'repeated applied',
      `conflict ${field}`,
    ]);
    expect(books.balance(creditAccount)).toBe(5n);
  });

  it('ids of callers, of administrators and of each leg of a provider are separate', () => {
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
