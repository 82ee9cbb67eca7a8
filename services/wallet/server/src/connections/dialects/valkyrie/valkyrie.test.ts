// The rules of Valkyrie's PAM API, tested on a wallet in memory that has the rules of the ledger.
import { describe, expect, it } from 'vitest';
import { createPamWallet, recon } from '../../../../test/environment/valkyrie-requests.ts';

/** Evolution sends the reference of the bet with bets, payouts and cancels. */
const evolution = { providerBetRef: 'ref1' };
/**
 * In bets, wins and rollbacks, Caleta sends the id of the bet as the reference. The win has an id that
 * differs from the bet's.
 */
const caletaWin = { providerBetRef: 't1', providerTransactionId: 'w1' };
const caletaBet = { providerBetRef: 't1' };

describe('a withdrawal', () => {
  it('a withdrawal takes money, and its answer has an id and both balances', () => {
    const answer = createPamWallet().transact('WITHDRAW', evolution);
    expect(answer).toEqual({ code: 'OK', id: expect.any(String), balance: '990+10' });
  });

  it('a withdrawal is applied once, and each repeat with its reference gets the first id', () => {
    const wallet = createPamWallet();
    const first = wallet.transact('WITHDRAW', evolution);
    expect(wallet.transact('WITHDRAW', evolution)).toEqual(first);
    wallet.transact('PROMODEPOSIT', { providerTransactionId: 'p', cashAmount: 5 });
    expect(wallet.transact('WITHDRAW', { ...evolution, providerTransactionId: 't2' })).toEqual({
      ...first,
      balance: '995+10',
    });
  });

  it('a withdrawal without a reference is applied once, even if it is repeated with the same id', () => {
    const wallet = createPamWallet();
    const first = wallet.transact('WITHDRAW');
    expect(wallet.transact('WITHDRAW')).toEqual(first);
  });

  it.each([
    ['round', { providerRoundId: 'r2' }, {}],
    ['game', { providerGameId: 'other' }, {}],
    ['player', {}, { path: '/players/bob/transactions' }],
    ['amount', { cashAmount: 11 }, {}],
  ])(
    'a withdrawal is refused as a duplicate if its id was used with a different %s',
    (_name, change, given) => {
      const wallet = createPamWallet();
      wallet.transact('WITHDRAW', caletaBet);
      const { code } = wallet.transact('WITHDRAW', { ...caletaBet, ...change }, given);
      expect(code).toBe('PAM_ERR_DUPLICATE_TRANS');
    },
  );

  it('two game providers may use the same id for different withdrawals', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW');
    expect(wallet.transact('WITHDRAW', {}, { query: 'provider=redtiger' }).balance).toBe('980+10');
  });

  it('a withdrawal of zero is accepted', () => {
    expect(createPamWallet().transact('WITHDRAW', { cashAmount: 0 }).balance).toBe('1000+10');
  });

  it('a withdrawal takes cash and promo money together', () => {
    const { balance } = createPamWallet().transact('WITHDRAW', { promoAmount: 5 });
    expect(balance).toBe('990+5');
  });

  it('a withdrawal of the smallest amount of the package is accepted', () => {
    expect(createPamWallet().transact('WITHDRAW', { cashAmount: 0.00001 }).balance).toBe('999.99999+10');
  });

  it.each([
    ['cash', { cashAmount: 1000.00001 }, 'PAM_ERR_CASH_OVERDRAFT'],
    ['promo money', { promoAmount: 10.00001 }, 'PAM_ERR_PROMO_OVERDRAFT'],
    ['cash for the second leg', { cashAmount: 1001, promoAmount: 5 }, 'PAM_ERR_CASH_OVERDRAFT'],
    ['bonus money', { bonusAmount: 1 }, 'PAM_ERR_BONUS_OVERDRAFT'],
  ])('a withdrawal is refused and takes nothing if the player lacks %s', (_name, change, code) => {
    const wallet = createPamWallet();
    expect(wallet.transact('WITHDRAW', change).code).toBe(code);
    expect(wallet.transact('WITHDRAW', { cashAmount: 0 }).balance).toBe('1000+10');
  });

  it('a withdrawal is refused with the balance if the player lacks cash', () => {
    expect(createPamWallet().transact('WITHDRAW', { cashAmount: 3000 }).balance).toBe('1000+10');
  });

  it.each([
    ['WITHDRAW', 'an expired session', { player: 'gs_old' }, 'PAM_ERR_SESSION_EXPIRED'],
    ['PROMOWITHDRAW', 'an expired session', { player: 'gs_old' }, 'PAM_ERR_SESSION_EXPIRED'],
    ['WITHDRAW', 'an unknown session', { player: 'nothing' }, 'PAM_ERR_SESSION_NOT_FOUND'],
    ['WITHDRAW', 'no session', { player: '' }, 'PAM_ERR_SESSION_NOT_FOUND'],
    ['WITHDRAW', 'the recon token', { player: recon }, 'PAM_ERR_SESSION_NOT_FOUND'],
    ['WITHDRAW', 'the recon token as bearer token', { bearer: recon }, 'PAM_ERR_API_TOKEN'],
    ['WITHDRAW', 'an unknown player', { path: '/players/eve/transactions' }, 'PAM_ERR_PLAYER_NOT_FOUND'],
  ])('a %s with %s is refused', (type, _name, given, code) => {
    expect(createPamWallet().transact(type, {}, given).code).toBe(code);
  });

  it.each(['WITHDRAW', 'PROMOWITHDRAW'])('a %s of a blocked player is refused', (type) => {
    const wallet = createPamWallet();
    wallet.block('ann');
    expect(wallet.transact(type).code).toBe('PAM_ERR_BET_NOT_ALLOWED');
  });

  it('a withdrawal is refused as settled if its round is closed', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { isGameOver: true });
    const { code } = wallet.transact('WITHDRAW', { providerTransactionId: 't2' });
    expect(code).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
  });

  it('a withdrawal is refused as cancelled if its cancel arrived first', () => {
    const wallet = createPamWallet();
    wallet.transact('CANCEL', evolution);
    expect(wallet.transact('WITHDRAW', evolution).code).toBe('PAM_ERR_TRANS_ALREADY_CANCELLED');
  });

  it('a withdrawal of promo money does not change the cash balance', () => {
    const { balance } = createPamWallet().transact('PROMOWITHDRAW', { cashAmount: 0, promoAmount: 1 });
    expect(balance).toBe('1000+9');
  });
});

describe('a deposit', () => {
  it('a deposit is the win of the bet with the same reference', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    const deposit = { ...evolution, providerTransactionId: 't2', cashAmount: 25 };
    const first = wallet.transact('DEPOSIT', deposit);
    expect(first).toMatchObject({ code: 'OK', balance: '1015+10' });
    expect(wallet.transact('DEPOSIT', { ...deposit, providerTransactionId: 't3' })).toEqual(first);
  });

  it('a deposit without a reference is a win of its round; a repeat with the same id is not paid', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW');
    const deposit = { providerTransactionId: 't2', isGameOver: true };
    const first = wallet.transact('DEPOSIT', deposit);
    expect(first.balance).toBe('1000+10');
    expect(wallet.transact('DEPOSIT', deposit)).toEqual(first);
  });

  it('a deposit of promo money is paid, even if the bet took no promo money', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    const deposit = { ...evolution, providerTransactionId: 't2', promoAmount: 10 };
    expect(wallet.transact('DEPOSIT', deposit).balance).toBe('1000+20');
  });

  it('a deposit of zero is accepted and settles the bet', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    expect(wallet.transact('DEPOSIT', { ...evolution, cashAmount: 0 }).balance).toBe('990+10');
    expect(wallet.transact('CANCEL', evolution).code).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
  });

  it.each([
    ['an unknown round', {}],
    ['an unknown reference', { providerBetRef: 'none' }],
    ['neither a round nor a reference', { providerRoundId: undefined }],
  ])('a deposit that has %s is answered as not found, with the balance', (_name, change) => {
    const answer = createPamWallet().transact('DEPOSIT', change);
    expect(answer).toEqual({ code: 'PAM_ERR_TRANS_NOT_FOUND', id: undefined, balance: '1000+10' });
  });

  it('a deposit is refused as settled, with the balance, if its round is closed', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { isGameOver: true });
    const answer = wallet.transact('DEPOSIT', { providerTransactionId: 't2' });
    expect(answer).toEqual({ code: 'PAM_ERR_TRANS_ALREADY_SETTLED', id: undefined, balance: '990+10' });
  });

  it('a deposit is refused as cancelled if its bet was cancelled', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', caletaBet);
    wallet.transact('CANCEL', { ...caletaWin, providerTransactionId: 'c1' });
    expect(wallet.transact('DEPOSIT', caletaWin).code).toBe('PAM_ERR_TRANS_ALREADY_CANCELLED');
  });

  it.each([
    ['round', { providerRoundId: 'r2' }, {}],
    ['player', {}, { path: '/players/bob/transactions' }],
  ])(
    'a deposit with the id of its bet is refused as a duplicate if the deposit has a different %s',
    (_name, change, given) => {
      const wallet = createPamWallet();
      wallet.transact('WITHDRAW', caletaBet);
      const { code } = wallet.transact('DEPOSIT', { ...caletaBet, ...change }, given);
      expect(code).toBe('PAM_ERR_DUPLICATE_TRANS');
    },
  );

  it.each(['DEPOSIT', 'PROMODEPOSIT'])('a %s is accepted with an expired session', (type) => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', caletaBet);
    expect(wallet.transact(type, caletaWin, { player: 'gs_old' }).balance).toBe('1000+10');
  });

  it.each(['DEPOSIT', 'PROMODEPOSIT', 'CANCEL', 'PROMOCANCEL'])(
    'a %s of a blocked player is accepted',
    (type) => {
      const wallet = createPamWallet();
      wallet.transact('WITHDRAW', caletaBet);
      wallet.block('ann');
      expect(wallet.transact(type, caletaWin).balance).toBe('1000+10');
    },
  );

  it.each([
    ['as the player token', { player: recon }],
    ['as the bearer token, without a player token', { bearer: recon, player: '' }],
  ])('a deposit is accepted without a session if the recon token is sent %s', (_name, given) => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', caletaBet);
    expect(wallet.transact('DEPOSIT', caletaWin, given).balance).toBe('1000+10');
    expect(wallet.transact('PROMODEPOSIT', { providerTransactionId: 'p' }, given).balance).toBe('1010+10');
    const unknown = { ...given, path: '/players/eve/transactions' };
    expect(wallet.transact('DEPOSIT', caletaWin, unknown).code).toBe('PAM_ERR_PLAYER_NOT_FOUND');
  });

  it.each(['DEPOSIT', 'PROMODEPOSIT', 'CANCEL', 'PROMOCANCEL'])(
    'a %s is refused if its session is unknown',
    (type) => {
      const { code } = createPamWallet().transact(
        type,
        {},
        { player: 'InvalidToken-but-long-enough-for-it' },
      );
      expect(code).toBe('PAM_ERR_SESSION_NOT_FOUND');
    },
  );

  it('a deposit settles only its own bet, even if the round has several bets', () => {
    const wallet = createPamWallet();
    for (const ref of ['a', 'b', 'c']) {
      wallet.transact('WITHDRAW', { providerBetRef: ref, providerTransactionId: `bet ${ref}` });
    }
    const deposit = { providerBetRef: 'a', providerTransactionId: 'x', cashAmount: 30 };
    expect(wallet.transact('DEPOSIT', deposit).balance).toBe('1000+10');
    const cancel = { providerBetRef: 'b', providerTransactionId: 'bet b' };
    expect(wallet.transact('CANCEL', cancel).balance).toBe('1010+10');
    expect(wallet.transact('DEPOSIT', { ...deposit, providerBetRef: 'b' }).code).toBe(
      'PAM_ERR_TRANS_ALREADY_CANCELLED',
    );
    expect(wallet.transact('DEPOSIT', { ...deposit, providerBetRef: 'c' }).balance).toBe('1040+10');
  });

  it('a deposit settles only its own bet, even if two players play in two rounds at the same time', () => {
    const wallet = createPamWallet();
    const bob = { path: '/players/bob/transactions' };
    const bet = (ref: string, round: string) => ({
      providerBetRef: ref,
      providerTransactionId: ref,
      providerRoundId: round,
    });
    wallet.transact('WITHDRAW', bet('a1', 'ra'));
    wallet.transact('WITHDRAW', bet('a2', 'rb'));
    wallet.transact('WITHDRAW', bet('b1', 'ra'), bob);
    const over = { isGameOver: true, cashAmount: 15 };
    expect(wallet.transact('DEPOSIT', { ...bet('a2', 'rb'), ...over }).balance).toBe('995+10');
    expect(wallet.transact('DEPOSIT', { ...bet('a1', 'ra'), ...over }).balance).toBe('1010+10');
    expect(wallet.transact('DEPOSIT', { ...bet('b1', 'ra'), ...over }, bob).balance).toBe('1005+10');
    expect(wallet.transact('CANCEL', bet('a2', 'rb')).code).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
  });

  it('a deposit is refused if its game is not the game of its round', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    const deposit = { ...evolution, providerTransactionId: 't2', providerGameId: 'other' };
    expect(wallet.transact('DEPOSIT', deposit).code).toBe('PAM_ERR_GAME_NOT_FOUND');
  });

  it.each([0.01, 0.001, 0.00001])('a deposit of %d is paid exactly', (cashAmount) => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    const { balance } = wallet.transact('DEPOSIT', { ...evolution, providerTransactionId: 't2', cashAmount });
    expect(balance).toBe(`${(990 + cashAmount).toFixed(5).replace(/0+$/, '')}+10`);
  });

  it('a deposit pays large amounts exactly', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    const { balance } = wallet.transact('DEPOSIT', { ...evolution, cashAmount: 63727092.34 });
    expect(balance).toBe('63728082.34+10');
  });
});

describe('a promo deposit', () => {
  it('a promo deposit needs neither a bet nor a round, and is paid once', () => {
    const wallet = createPamWallet();
    const first = wallet.transact('PROMODEPOSIT', { providerRoundId: '', providerGameId: '' });
    expect(first.balance).toBe('1010+10');
    expect(wallet.transact('PROMODEPOSIT', { providerRoundId: '', providerGameId: '' })).toEqual(first);
  });

  it('a promo deposit and a deposit with the same reference are two separate transactions', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    wallet.transact('DEPOSIT', evolution);
    expect(wallet.transact('PROMODEPOSIT', { ...evolution, cashAmount: 0, promoAmount: 2 }).balance).toBe(
      '1000+12',
    );
  });
});

describe('a cancel', () => {
  it.each([
    ['CANCEL', 'WITHDRAW'],
    ['PROMOCANCEL', 'PROMOWITHDRAW'],
    ['CANCEL', 'PROMOWITHDRAW'],
  ])(
    'a %s gives the money of a %s back to both purses, whatever amounts the cancel has',
    (cancel, withdrawal) => {
      const wallet = createPamWallet();
      wallet.transact(withdrawal, { promoAmount: 5 });
      const first = wallet.transact(cancel, { cashAmount: 47, promoAmount: 0 });
      expect(first).toMatchObject({ code: 'OK', balance: '1000+10' });
      expect(wallet.transact(cancel, { cashAmount: 47 })).toEqual(first);
    },
  );

  it('a cancel with a reference and an id finds the bet by the reference, not by the id', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    wallet.transact('WITHDRAW', { providerTransactionId: 't2', cashAmount: 1 });
    const cancel = { ...evolution, providerTransactionId: 't2' };
    expect(wallet.transact('CANCEL', cancel)).toMatchObject({ code: 'OK', balance: '999+10' });
  });

  it('a cancel with a promo leg and a cash leg undoes a bet that had no promo money', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', caletaBet);
    const cancel = { ...caletaWin, providerTransactionId: 'c1' };
    expect(wallet.transact('CANCEL', cancel)).toMatchObject({ code: 'OK', balance: '1000+10' });
  });

  it.each(['CANCEL', 'PROMOCANCEL'])(
    'a %s of an unknown bet is answered as not found, and so is its repeat',
    (type) => {
      const wallet = createPamWallet();
      const expected = { code: 'PAM_ERR_CANCEL_NOT_FOUND', id: undefined, balance: '1000+10' };
      expect(wallet.transact(type, evolution)).toEqual(expected);
      expect(wallet.transact(type, evolution)).toEqual(expected);
    },
  );

  it("a cancel of another player's bet is answered as not found", () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    const { code } = wallet.transact('CANCEL', evolution, { path: '/players/bob/transactions' });
    expect(code).toBe('PAM_ERR_CANCEL_NOT_FOUND');
  });

  it('a PROMOCANCEL is refused if a CANCEL has already cancelled the bet', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', evolution);
    wallet.transact('CANCEL', evolution);
    const expected = { code: 'PAM_ERR_TRANS_ALREADY_CANCELLED', id: undefined, balance: '1000+10' };
    expect(wallet.transact('PROMOCANCEL', evolution)).toEqual(expected);
  });

  it('a cancel is refused with the balance if the round is closed', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW');
    wallet.transact('DEPOSIT', { providerTransactionId: 't2', isGameOver: true });
    const expected = { code: 'PAM_ERR_TRANS_ALREADY_SETTLED', id: undefined, balance: '1000+10' };
    expect(wallet.transact('CANCEL')).toEqual(expected);
  });

  it('a cancel of a deposit is refused, because only withdrawals can be cancelled', () => {
    const wallet = createPamWallet();
    wallet.transact('PROMODEPOSIT', { providerTransactionId: 'p' });
    const { code } = wallet.transact('CANCEL', { providerTransactionId: 'p' });
    expect(code).toBe('PAM_ERR_CANCEL_NON_WITHDRAW');
  });

  it.each([
    ['an expired session', { player: 'gs_old' }],
    ['the recon token', { player: recon }],
  ])('a cancel is accepted with %s', (_name, given) => {
    const wallet = createPamWallet();
    wallet.transact('PROMOWITHDRAW', { ...caletaBet, promoAmount: 1 });
    expect(wallet.transact('PROMOCANCEL', caletaWin, given).balance).toBe('1000+10');
  });

  it('a cancel closes its round if isGameOver is true', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW');
    wallet.transact('CANCEL', { isGameOver: true });
    const { code } = wallet.transact('WITHDRAW', { providerTransactionId: 't2' });
    expect(code).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
  });
});

describe('the transactions of a bet', () => {
  it('the transactions of a bet are found by the bet reference, and listed with their types', () => {
    const wallet = createPamWallet();
    expect(wallet.lookUp('providerBetRef=t1')).toEqual([]);
    wallet.transact('WITHDRAW', caletaBet);
    expect(wallet.lookUp('providerBetRef=t1')).toEqual(['WITHDRAW']);
    wallet.transact('DEPOSIT', caletaWin);
    wallet.transact('PROMODEPOSIT', caletaWin);
    expect(wallet.lookUp('providerBetRef=t1&providerTransactionId=t9')).toEqual([
      'WITHDRAW',
      'DEPOSIT',
      'PROMODEPOSIT',
    ]);
  });

  it('a cancel is found by the bet reference even if its bet has not arrived', () => {
    const wallet = createPamWallet();
    wallet.transact('PROMOCANCEL', caletaWin);
    expect(wallet.lookUp('providerBetRef=t1')).toEqual(['PROMOCANCEL']);
  });

  it('transactions without a reference are found by the transaction id', () => {
    const wallet = createPamWallet();
    wallet.transact('PROMOWITHDRAW', { cashAmount: 0, promoAmount: 1 });
    expect(wallet.lookUp('providerTransactionId=t1')).toEqual(['PROMOWITHDRAW']);
    wallet.transact('PROMODEPOSIT', { providerTransactionId: 't2' });
    expect(wallet.lookUp('providerTransactionId=t2')).toEqual(['DEPOSIT']);
  });
});

describe('references and transaction ids', () => {
  const id = { providerTransactionId: 'x', providerBetRef: undefined };
  const both = { providerTransactionId: 'x', providerBetRef: 'ref' };

  it('a reference that equals the id of another transaction does not refer to that transaction', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { providerTransactionId: 'a', providerBetRef: 'x' });
    expect(wallet.transact('WITHDRAW', { ...id, cashAmount: 3 })).toMatchObject({ balance: '987+10' });
    const other = { providerTransactionId: 'b', providerBetRef: 'a', cashAmount: 2 };
    expect(wallet.transact('WITHDRAW', other)).toMatchObject({ balance: '985+10' });
    expect(wallet.lookUp('providerTransactionId=x')).toEqual(['WITHDRAW']);
    expect(wallet.transact('CANCEL', id)).toMatchObject({ code: 'OK', balance: '988+10' });
    const cancel = { providerTransactionId: 'c', providerBetRef: 'x' };
    expect(wallet.transact('CANCEL', cancel)).toMatchObject({ code: 'OK', balance: '998+10' });
  });

  it('a transaction with a reference is also found by its own id', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { ...both, promoAmount: 2 });
    wallet.transact('DEPOSIT', { ...both, providerTransactionId: 'w' });
    wallet.transact('PROMODEPOSIT', { ...both, providerTransactionId: 'p' });
    expect(wallet.lookUp('providerTransactionId=x')).toEqual(['WITHDRAW']);
    expect(wallet.lookUp('providerTransactionId=w')).toEqual(['DEPOSIT']);
    expect(wallet.lookUp('providerTransactionId=p')).toEqual(['PROMODEPOSIT']);
    expect(wallet.lookUp('providerTransactionId=ref')).toEqual([]);
    expect(wallet.lookUp('providerBetRef=x')).toEqual([]);
    expect(wallet.lookUp('providerBetRef=ref')).toEqual(['WITHDRAW', 'DEPOSIT', 'PROMODEPOSIT']);
  });

  it.each(['CANCEL', 'PROMOCANCEL'])('a %s with only the id undoes a bet that has a reference', (type) => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { ...both, promoAmount: 5 });
    const first = wallet.transact(type, id);
    expect(first).toMatchObject({ code: 'OK', balance: '1000+10' });
    expect(wallet.transact(type, id)).toEqual(first);
    expect(wallet.transact('DEPOSIT', both).code).toBe('PAM_ERR_TRANS_ALREADY_CANCELLED');
    const again = { ...both, providerTransactionId: 'c' };
    expect(wallet.transact('CANCEL', again).code).toBe('PAM_ERR_TRANS_ALREADY_CANCELLED');
  });

  it('a cancel with the id alone is a repeat of an earlier cancel with the id and a reference', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', both);
    const first = wallet.transact('CANCEL', both);
    expect(wallet.transact('CANCEL', id)).toEqual(first);
  });

  it('a cancel with the id alone is refused if the bet with this id and a reference is settled', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', both);
    wallet.transact('DEPOSIT', both);
    expect(wallet.transact('CANCEL', id)).toMatchObject({
      code: 'PAM_ERR_TRANS_ALREADY_SETTLED',
      balance: '1000+10',
    });
  });

  it.each([
    ['the cancel has the id, and the bet has the id and a reference', id, both],
    ['the cancel and the bet have only the id', id, id],
    ['the cancel has the id and a reference, and the bet has only the id', both, id],
    [
      'the cancel has the reference of the bet and a different id',
      { ...both, providerTransactionId: 'c' },
      both,
    ],
  ])('a bet that arrives after its cancel is refused as cancelled: %s', (_name, cancel, bet) => {
    const wallet = createPamWallet();
    const { code } = wallet.transact('CANCEL', cancel);
    expect(code).toBe('PAM_ERR_CANCEL_NOT_FOUND');
    const expected = { code: 'PAM_ERR_TRANS_ALREADY_CANCELLED', balance: '1000+10' };
    expect(wallet.transact('WITHDRAW', bet)).toMatchObject(expected);
    expect(wallet.transact('WITHDRAW', { ...bet, promoAmount: 1 })).toMatchObject(expected);
    expect(wallet.transact('CANCEL', cancel).code).toBe('PAM_ERR_CANCEL_NOT_FOUND');
  });

  it('a cancel undoes the bet with the cancel’s id if no bet has the cancel’s reference', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { ...id, promoAmount: 5 });
    expect(wallet.transact('CANCEL', both)).toMatchObject({ code: 'OK', balance: '1000+10' });
  });

  it('a cancel with a known reference does not change a different bet with the cancel’s id', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { ...both, providerTransactionId: 'a' });
    wallet.transact('WITHDRAW', { ...id, cashAmount: 1, promoAmount: 5 });
    expect(wallet.transact('CANCEL', both)).toMatchObject({ code: 'OK', balance: '999+5' });
    expect(wallet.transact('PROMOCANCEL', id)).toMatchObject({ code: 'OK', balance: '1000+10' });
  });

  it("a tombstone for an id does not block another player's bet with that id", () => {
    const wallet = createPamWallet();
    const bob = { path: '/players/bob/transactions' };
    wallet.transact('CANCEL', id, bob);
    expect(wallet.transact('WITHDRAW', both).code).toBe('OK');
    expect(wallet.transact('CANCEL', id, bob).code).toBe('PAM_ERR_CANCEL_NOT_FOUND');
    expect(wallet.transact('CANCEL', { ...both, providerBetRef: 'other' }, bob)).toMatchObject({
      code: 'PAM_ERR_CANCEL_NOT_FOUND',
      balance: '1000+10',
    });
  });

  it('a cancel of a deposit with a reference is refused, because only withdrawals can be cancelled', () => {
    const wallet = createPamWallet();
    wallet.transact('PROMODEPOSIT', both);
    expect(wallet.transact('CANCEL', id)).toMatchObject({
      code: 'PAM_ERR_CANCEL_NON_WITHDRAW',
      balance: '1010+10',
    });
  });

  it('a withdrawal without a reference is a repeat of the withdrawal that has the same id', () => {
    const wallet = createPamWallet();
    const first = wallet.transact('WITHDRAW', { ...both, promoAmount: 2 });
    expect(wallet.transact('WITHDRAW', { ...id, promoAmount: 2 })).toEqual(first);
    for (const change of [{ promoAmount: 0 }, { promoAmount: 3 }, { cashAmount: 1, promoAmount: 2 }]) {
      const answer = wallet.transact('WITHDRAW', { ...id, ...change });
      expect(answer).toMatchObject({ code: 'PAM_ERR_DUPLICATE_TRANS', balance: '990+8' });
    }
  });

  it.each([
    ['another withdrawal with a reference', both],
    ['a withdrawal without a reference', id],
  ])('a withdrawal is refused as a duplicate if its id is the id of %s', (_name, bet) => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', bet);
    const answer = wallet.transact('WITHDRAW', { ...both, providerBetRef: 'other' });
    expect(answer).toMatchObject({ code: 'PAM_ERR_DUPLICATE_TRANS', balance: '990+10' });
  });

  it.each([
    ['round', { providerRoundId: 'r2' }, {}],
    ['player', {}, { path: '/players/bob/transactions' }],
  ])('a deposit is refused as a duplicate if its id was used with a different %s', (_name, change, given) => {
    const wallet = createPamWallet();
    const other = { ...both, ...change, providerBetRef: 'other', providerTransactionId: 'b' };
    wallet.transact('WITHDRAW', both);
    wallet.transact('WITHDRAW', other, given);
    expect(wallet.transact('DEPOSIT', { ...both, providerTransactionId: 'w' }).code).toBe('OK');
    const deposit = { ...other, providerTransactionId: 'w' };
    expect(wallet.transact('DEPOSIT', deposit, given).code).toBe('PAM_ERR_DUPLICATE_TRANS');
  });
});

describe('a connection of an early version', () => {
  const id = { providerTransactionId: 'x', providerBetRef: undefined };
  const both = { providerTransactionId: 'x', providerBetRef: 'ref' };

  it('a connection of an early version finds a transaction by its id, even if sent as a reference', () => {
    const wallet = createPamWallet({ sharesNames: true });
    const first = wallet.transact('WITHDRAW', id);
    expect(wallet.transact('WITHDRAW', { providerTransactionId: 'y', providerBetRef: 'x' })).toEqual(first);
    expect(wallet.lookUp('providerTransactionId=x')).toEqual(['WITHDRAW']);
    expect(wallet.lookUp('providerBetRef=x')).toEqual(['WITHDRAW']);
    expect(wallet.transact('CANCEL', id)).toMatchObject({ code: 'OK', balance: '1000+10' });
  });

  it('transactions with a reference are also found, cancelled and refused by their ids', () => {
    const wallet = createPamWallet({ sharesNames: true });
    wallet.transact('WITHDRAW', { ...both, promoAmount: 5 });
    expect(wallet.lookUp('providerTransactionId=x')).toEqual(['WITHDRAW']);
    expect(wallet.transact('CANCEL', id)).toMatchObject({ code: 'OK', balance: '1000+10' });
    wallet.transact('CANCEL', { providerTransactionId: 'z' });
    const { code } = wallet.transact('WITHDRAW', { providerTransactionId: 'z', providerBetRef: 'zz' });
    expect(code).toBe('PAM_ERR_TRANS_ALREADY_CANCELLED');
  });
});

describe('errors for a known player contain the balance', () => {
  const settled = { providerTransactionId: 's', providerBetRef: 's', providerRoundId: 'over' };
  const before = (wallet: ReturnType<typeof createPamWallet>) => {
    wallet.transact('WITHDRAW', { ...settled, isGameOver: true });
    wallet.transact('WITHDRAW', { providerTransactionId: 'c', providerBetRef: 'c', cashAmount: 0 });
    wallet.transact('CANCEL', { providerTransactionId: 'c2', providerBetRef: 'c' });
    wallet.transact('PROMODEPOSIT', { providerTransactionId: 'p', cashAmount: 0 });
  };

  it.each([
    ['PAM_ERR_TRANS_CURRENCY', 'WITHDRAW', { currency: 'USD' }],
    ['PAM_ERR_TRANS_CURRENCY', 'DEPOSIT', { currency: 'USD' }],
    ['PAM_ERR_TRANS_CURRENCY', 'CANCEL', { currency: 'USD' }],
    ['PAM_ERR_NEGATIVE_STAKE', 'WITHDRAW', { cashAmount: -1 }],
    ['PAM_ERR_NEGATIVE_STAKE', 'DEPOSIT', { promoAmount: -1 }],
    ['PAM_ERR_BONUS_OVERDRAFT', 'WITHDRAW', { bonusAmount: 1 }],
    ['PAM_ERR_CASH_OVERDRAFT', 'WITHDRAW', { cashAmount: 5000 }],
    ['PAM_ERR_PROMO_OVERDRAFT', 'WITHDRAW', { promoAmount: 5000 }],
    ['PAM_ERR_GAME_NOT_FOUND', 'WITHDRAW', { providerGameId: 'no such game' }],
    ['PAM_ERR_TRANS_NOT_FOUND', 'DEPOSIT', { providerRoundId: 'none' }],
    ['PAM_ERR_TRANS_ALREADY_SETTLED', 'DEPOSIT', { providerRoundId: 'over' }],
    ['PAM_ERR_TRANS_ALREADY_SETTLED', 'CANCEL', settled],
    ['PAM_ERR_TRANS_ALREADY_CANCELLED', 'PROMOCANCEL', { providerTransactionId: 'c3', providerBetRef: 'c' }],
    ['PAM_ERR_TRANS_ALREADY_CANCELLED', 'DEPOSIT', { providerTransactionId: 'd', providerBetRef: 'c' }],
    ['PAM_ERR_CANCEL_NOT_FOUND', 'CANCEL', { providerTransactionId: 'none' }],
    ['PAM_ERR_CANCEL_NON_WITHDRAW', 'CANCEL', { providerTransactionId: 'p' }],
    ['PAM_ERR_DUPLICATE_TRANS', 'WITHDRAW', { ...settled, cashAmount: 11 }],
    ['PAM_ERR_BET_NOT_ALLOWED', 'WITHDRAW', { cashAmount: 100 }],
  ])('the error %s contains the balance if the transaction is a %s', (code, type, change) => {
    const wallet = createPamWallet(code === 'PAM_ERR_BET_NOT_ALLOWED' ? { maxStake: 5_000_000n } : {});
    before(wallet);
    const given = { providerTransactionId: 'new', ...change };
    expect(wallet.transact(type, given)).toEqual({ code, id: undefined, balance: '990+10' });
  });

  it('the error for an unknown session contains no balance', () => {
    const answer = createPamWallet().transact('WITHDRAW', { currency: 'USD' }, { player: 'nothing' });
    expect(answer).toEqual({ code: 'PAM_ERR_SESSION_NOT_FOUND', id: undefined, balance: undefined });
  });

  it('a withdrawal with an expired session and a wrong currency gets the error for the session', () => {
    const answer = createPamWallet().transact('WITHDRAW', { currency: 'USD' }, { player: 'gs_old' });
    expect(answer).toEqual({ code: 'PAM_ERR_SESSION_EXPIRED', id: undefined, balance: '1000+10' });
  });
});

describe('a repeat with a different promo amount', () => {
  it.each([
    ['WITHDRAW', 5, 0, { providerBetRef: 'ref' }],
    ['WITHDRAW', 0, 5, { providerBetRef: 'ref' }],
    ['WITHDRAW', 5, 6, { providerBetRef: 'ref' }],
    ['WITHDRAW', 5, 0, {}],
    ['WITHDRAW', 0, 5, {}],
    ['PROMOWITHDRAW', 5, 0, {}],
    ['PROMODEPOSIT', 5, 0, {}],
    ['PROMODEPOSIT', 0, 5, { providerBetRef: 'ref' }],
  ])(
    'a %s with %d in promo money, repeated with %d, is refused as a duplicate',
    (type, first, second, more) => {
      const wallet = createPamWallet();
      const { balance } = wallet.transact(type, { ...more, promoAmount: first });
      const answer = wallet.transact(type, { ...more, promoAmount: second });
      expect(answer).toEqual({ code: 'PAM_ERR_DUPLICATE_TRANS', id: undefined, balance });
      expect(wallet.transact(type, { ...more, promoAmount: first })).toMatchObject({ code: 'OK', balance });
    },
  );
});

describe('isGameOver', () => {
  it.each([
    ['WITHDRAW', { providerTransactionId: 't2', cashAmount: 0 }],
    ['DEPOSIT', { providerTransactionId: 't2', cashAmount: 0 }],
    ['DEPOSIT', { providerTransactionId: 't2', cashAmount: 0, promoAmount: 1 }],
    ['CANCEL', { providerTransactionId: 't3' }],
  ])('isGameOver in a %s ends the cash part and the promo part of the round', (type, change) => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { promoAmount: 1 });
    expect(wallet.listParts('r1')).toEqual(['open', 'open']);
    wallet.transact(type, { ...change, isGameOver: true });
    expect(wallet.listParts('r1')).toEqual(['closed', 'closed']);
    const late = { providerTransactionId: 'late', cashAmount: 0, promoAmount: 1 };
    expect(wallet.transact('WITHDRAW', late).code).toBe('PAM_ERR_TRANS_ALREADY_SETTLED');
  });

  it('a late promo deposit does not open the ended round again', () => {
    const wallet = createPamWallet();
    wallet.transact('WITHDRAW', { isGameOver: true });
    const late = { providerTransactionId: 'late', cashAmount: 0, promoAmount: 1 };
    expect(wallet.transact('PROMODEPOSIT', late)).toMatchObject({ code: 'OK', balance: '990+11' });
    expect(wallet.listParts('r1')).toEqual(['closed', 'closed']);
  });
});

it('the maximum stake limits the cash and the promo money of a withdrawal together', () => {
  const wallet = createPamWallet({ maxStake: 1_200_000n });
  expect(wallet.transact('WITHDRAW', { promoAmount: 3 }).code).toBe('PAM_ERR_BET_NOT_ALLOWED');
  expect(wallet.transact('WITHDRAW', { promoAmount: 2 }).balance).toBe('990+8');
});
