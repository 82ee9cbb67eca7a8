// The format of the hash chain, and the changes of a journal that the hash chain detects.
import { expect, it } from 'vitest';
import { chainMovement, makeGenesisHash } from './chain.ts';
import type { Movement } from './movement.ts';

const first: Movement = {
  packageId: 7,
  sequence: 1n,
  previousSequence: 0n,
  kind: 'credit',
  result: 'applied',
  debitAccount: 1n,
  creditAccount: 1001n,
  amount: 250n,
  debitBalance: 750n,
  creditBalance: 250n,
  idHash: '00112233445566778899aabbccddeeff',
  transactionId: 'tx-ä-1',
  createdAtMs: 1_777_889_000_500,
  noteHash: 'ffeeddccbbaa99887766554433221100',
  referenceHash: undefined,
  roundHash: undefined,
  roundPrevious: undefined,
  gameId: undefined,
};

const second: Movement = {
  ...first,
  sequence: 2n,
  previousSequence: 1n,
  kind: 'win',
  result: 'late',
  debitAccount: 2n,
  debitBalance: -10n,
  creditBalance: 260n,
  amount: 10n,
  idHash: '0123456789abcdef0123456789abcdef',
  noteHash: undefined,
  referenceHash: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  roundHash: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
  roundPrevious: 1n,
  gameId: 'spins',
};

const hashesOf = (rows: readonly Movement[], packageId = 7): string[] => {
  let hash = makeGenesisHash(packageId);
  return rows.map((row) => {
    hash = chainMovement(hash, row);
    return hash.toString('hex');
  });
};

it('the hashes of example movements never change, so that stored chains stay valid', () => {
  expect(makeGenesisHash(7).toString('hex')).toBe(
    '607d829bc27553efef9613c11075280a4582d83774fdd1c01bb192df91037771',
  );
  expect(hashesOf([first, second])).toEqual([
    '8194014dc251b991ab160cd066681d924182140503affa922f82679c587f754a',
    '64599a20aaea2ebd9c8e5edddf197852886b3db335681d1dc6a646baa10b2dfc',
  ]);
});

const others: { [Column in keyof Movement]: Movement[Column] } = {
  packageId: 8,
  sequence: 3n,
  previousSequence: 9n,
  kind: 'debit',
  result: 'insufficient_funds',
  debitAccount: 4n,
  creditAccount: 1002n,
  amount: 251n,
  debitBalance: 751n,
  creditBalance: 251n,
  idHash: '00112233445566778899aabbccddeefe',
  transactionId: 'tx-ä-2',
  createdAtMs: 1_777_889_000_501,
  noteHash: 'ffeeddccbbaa99887766554433221101',
  referenceHash: 'ffeeddccbbaa99887766554433221102',
  roundHash: 'ffeeddccbbaa99887766554433221103',
  roundPrevious: 0n,
  gameId: '',
};

it.each(Object.keys(others) as (keyof Movement)[])(
  'changing %s of a row changes the hash of the row and every later hash',
  (column) => {
    for (const row of [0, 1]) {
      const rows = [first, second, { ...second, sequence: 3n }];
      const applied = hashesOf(rows);
      const changed = hashesOf(
        rows.map((each, i) => (i === row ? { ...each, [column]: others[column] } : each)),
      );
      for (const [i, hash] of applied.entries()) {
        if (i < row) expect(changed[i]).toBe(hash);
        else expect(changed[i]).not.toBe(hash);
      }
    }
  },
);

it.each(['noteHash', 'referenceHash', 'roundHash', 'roundPrevious', 'gameId'] as const)(
  'removing %s from a row changes the hash of the row',
  (column) => {
    const row = { ...second, noteHash: first.noteHash };
    expect(hashesOf([{ ...row, [column]: undefined }])).not.toEqual(hashesOf([row]));
  },
);

it('a text cannot be moved from one column to the next without changing the hash', () => {
  const slipped = { ...second, transactionId: `${second.transactionId}s`, gameId: 'pins' };
  expect(hashesOf([slipped])).not.toEqual(hashesOf([second]));
});

it('removing, swapping or repeating a row changes every later hash', () => {
  const third = { ...second, sequence: 3n };
  const applied = hashesOf([first, second, third]).at(-1);
  expect(hashesOf([first, third]).at(-1)).not.toBe(applied);
  expect(hashesOf([second, first, third]).at(-1)).not.toBe(applied);
  expect(hashesOf([first, second, second, third]).at(-1)).not.toBe(applied);
});

it('the same rows have different hashes in two packages', () => {
  expect(hashesOf([first], 7)).not.toEqual(hashesOf([first], 8));
});

it('an id of 512 characters of several bytes each is accepted, and a longer id is refused', () => {
  const longest = { ...second, transactionId: '€'.repeat(512), gameId: '€'.repeat(512) };
  const [applied] = hashesOf([longest]);
  expect(hashesOf([{ ...longest, gameId: `${'€'.repeat(511)}$` }])).not.toEqual([applied]);
  for (const column of ['transactionId', 'gameId'] as const) {
    expect(() => hashesOf([{ ...first, [column]: 'a'.repeat(513) }])).toThrow('too long');
  }
});

it('the hash of a reversal includes all bytes of its shortfall', () => {
  const reversal: Movement = { ...second, kind: 'win_reversal' };
  expect(hashesOf([{ ...reversal, shortfall: 5n }])).toEqual([
    'd13afe8091a790a46201cb707948af3ef6169d3df4ac581468759aecc30578ab',
  ]);
  const hashes = [undefined, 0n, 1n, 2n ** 56n].map((shortfall) => hashesOf([{ ...reversal, shortfall }])[0]);
  expect(new Set(hashes).size).toBe(4);
});
