// The effects of one batch, gathered over all its packages, ready to be written.

import { bytesColumn, type Column, plainColumn, textColumn } from './columns.ts';
import type { BetState, RoundState } from './decision.ts';
import type { Assumed } from './game-memory.ts';
import { isOfGame, kinds, type Movement, results } from './movement.ts';
import type { AccountState } from './state.ts';

export interface PackageEffects {
  readonly packageId: number;
  readonly expectedSequence: bigint;
  /** Of the row at that sequence: a restored journal may have come to the same number otherwise. */
  readonly expectedHash: Buffer;
  readonly sequence: bigint;
  readonly hash: Buffer;
  readonly rows: readonly { movement: Movement; hash: Buffer; note: string }[];
  /** Final balances of the accounts that the batch touched. */
  readonly accounts: ReadonlyMap<bigint, AccountState>;
  /** `sequence` is of the row that decided the bet's fate. */
  readonly bets: ReadonlyMap<
    string,
    BetState & { readonly hash: string; readonly sequence: bigint }
  >;
  readonly rounds: ReadonlyMap<string, RoundState>;
  readonly assumed: Assumed | undefined;
}

export const betFates = { settled: 1, rolled_back: 2, tombstoned: 3 } as const;
export const roundStates = { open: 0, closed: 1 } as const;

export const hasGames = (batch: readonly PackageEffects[]): boolean =>
  batch.some(
    (each) =>
      each.bets.size > 0 || each.rounds.size > 0 || each.rows.some((row) => isOfGame(row.movement)),
  );

/** Parameters 1 to 4: the packages in the order in which their heads are locked. */
export function headColumns(batch: readonly PackageEffects[]): string[] {
  const [packageId, expected, sequence] = [plainColumn(), plainColumn(), plainColumn()];
  const hash = bytesColumn();
  for (const each of batch) {
    packageId.push(each.packageId);
    expected.push(each.expectedSequence);
    sequence.push(each.sequence);
    hash.push(each.hash.toString('hex'));
  }
  return [packageId, expected, sequence, hash].map((column) => column.text());
}

/** The last parameter: what the heads' hashes must be, in the order of the packages. */
export function proofColumn(batch: readonly PackageEffects[]): string {
  const hash = bytesColumn();
  for (const each of batch) hash.push(each.expectedHash.toString('hex'));
  return hash.text();
}

/** Written out column by column: it runs for every movement, and loops over columns are felt. */
export function journalColumns(batch: readonly PackageEffects[]): string[] {
  const columns = Array.from({ length: 11 }, plainColumn);
  const [packages, sequences, previous, debits, credits, amounts] = columns as Columns;
  const [debitBalances, creditBalances, kindCodes, resultCodes, ids] = columns.slice(6) as Columns;
  const hashes = bytesColumn();
  const transactionIds = textColumn();
  const noteHashes = plainColumn();
  for (const { packageId, rows } of batch) {
    for (const { movement, hash } of rows) {
      packages.push(packageId);
      sequences.push(movement.sequence);
      previous.push(movement.previousSequence);
      debits.push(movement.debitAccount);
      credits.push(movement.creditAccount);
      amounts.push(movement.amount);
      debitBalances.push(movement.debitBalance);
      creditBalances.push(movement.creditBalance);
      kindCodes.push(kinds[movement.kind]);
      resultCodes.push(results[movement.result]);
      ids.push(movement.idHash);
      hashes.push(hash.toString('hex'));
      transactionIds.push(movement.transactionId);
      noteHashes.push(movement.noteHash);
    }
  }
  return [...columns, hashes, transactionIds, noteHashes].map((column) => column.text());
}

type Columns = [Column, Column, Column, Column, Column, Column];

export function gameColumns(batch: readonly PackageEffects[]): string[] {
  const [reference, round, roundPrevious] = [plainColumn(), plainColumn(), plainColumn()];
  const gameId = textColumn();
  for (const { rows } of batch) {
    for (const { movement } of rows) {
      reference.push(movement.referenceHash);
      round.push(movement.roundHash);
      roundPrevious.push(movement.roundPrevious);
      gameId.push(movement.gameId);
    }
  }
  return [reference, round, roundPrevious, gameId].map((column) => column.text());
}

export function accountColumns(batch: readonly PackageEffects[]): string[] {
  const [packages, ids, balances, sequences] = [
    plainColumn(),
    plainColumn(),
    plainColumn(),
    plainColumn(),
  ];
  for (const { packageId, accounts } of batch) {
    for (const [id, { balance, lastSequence }] of accounts) {
      packages.push(packageId);
      ids.push(id);
      balances.push(balance);
      sequences.push(lastSequence);
    }
  }
  return [packages, ids, balances, sequences].map((column) => column.text());
}

export function noteColumns(batch: readonly PackageEffects[]): string[] {
  const [packageId, sequence] = [plainColumn(), plainColumn()];
  const note = textColumn();
  for (const each of batch) {
    for (const row of each.rows) {
      if (row.note === '') continue;
      packageId.push(each.packageId);
      sequence.push(row.movement.sequence);
      note.push(row.note);
    }
  }
  return [packageId, sequence, note].map((column) => column.text());
}

export function betColumns(batch: readonly PackageEffects[]): string[] {
  const columns = Array.from({ length: 5 }, plainColumn);
  for (const each of batch) {
    for (const bet of each.bets.values()) {
      const values = [each.packageId, bet.hash, bet.account, betFates[bet.fate], bet.sequence];
      for (const [i, value] of values.entries()) columns[i]?.push(value);
    }
  }
  return columns.map((column) => column.text());
}

/** Bets and rounds that the decisions took for absent. */
export function assumedColumns(batch: readonly PackageEffects[]): string[] {
  const columns = Array.from({ length: 6 }, plainColumn);
  const push = (from: number, packageId: number, key: { hash: string; account: bigint }) => {
    columns[from]?.push(packageId);
    columns[from + 1]?.push(key.hash);
    columns[from + 2]?.push(key.account);
  };
  for (const { packageId, assumed } of batch) {
    for (const key of assumed?.bets.values() ?? []) push(0, packageId, key);
    for (const key of assumed?.rounds.values() ?? []) push(3, packageId, key);
  }
  return columns.map((column) => column.text());
}

export function roundColumns(batch: readonly PackageEffects[]): string[] {
  const numbers = Array.from({ length: 7 }, plainColumn);
  const [id, gameId] = [textColumn(), textColumn()];
  for (const each of batch) {
    for (const round of each.rounds.values()) {
      const values = [
        each.packageId,
        round.hash,
        round.account,
        round.closed ? roundStates.closed : roundStates.open,
        round.betTotal,
        round.winTotal,
        round.lastSequence,
      ];
      for (const [i, value] of values.entries()) numbers[i]?.push(value);
      id.push(round.id);
      gameId.push(round.gameId);
    }
  }
  return [...numbers, id, gameId].map((column) => column.text());
}
