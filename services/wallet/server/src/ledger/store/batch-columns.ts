// The effects of one batch and their encoding as the parameters of the write statement.

import { textColumn } from '@counterfoil/kit/postgres/array-text';
import {
  bigintColumn,
  hashColumn,
  integerColumn,
  smallintColumn,
  uuidColumn,
} from '@counterfoil/kit/postgres/binary-columns';
import type { BetState, BetStatus, RoundState, RoundStatus } from '../rules/decision.ts';
import { createDecoder, isOfGame, kinds, type Movement, results } from '../rules/movement.ts';
import type { AccountState, Assumed } from '../rules/state.ts';

export interface PackageEffects {
  readonly packageId: number;
  readonly expectedSequence: bigint;
  /**
   * The hash of the row with the sequence `expectedSequence`. The hash is checked too, because a journal that
   * was restored from a backup may have a different row with this sequence.
   */
  readonly expectedHash: Buffer;
  readonly sequence: bigint;
  readonly hash: Buffer;
  readonly rows: readonly { movement: Movement; hash: Buffer; note: string }[];
  /** Final balances of the accounts that the batch changed. */
  readonly accounts: ReadonlyMap<bigint, AccountState>;
  /** The changed bet states. `sequence` is the sequence of the journal row that caused the state. */
  readonly bets: ReadonlyMap<string, BetState & { readonly sequence: bigint }>;
  readonly rounds: ReadonlyMap<string, RoundState>;
  readonly assumed: Assumed | undefined;
}

export const betStates = { settled: 1, rolled_back: 2, tombstoned: 3, requested: 4, named: 5 } as const;
export const toBetStatus = createDecoder<BetStatus>(betStates);
export const roundStates = { open: 0, closed: 1, void: 2 } as const;
const roundStatuses: readonly RoundStatus[] = ['open', 'closed', 'void'];
export const toRoundStatus = (code: number): RoundStatus => roundStatuses[code] ?? 'open';

export const hasGames = (batch: readonly PackageEffects[]): boolean =>
  batch.some(
    (each) => each.bets.size > 0 || each.rounds.size > 0 || each.rows.some((row) => isOfGame(row.movement)),
  );

/** The value of an array parameter: a buffer in PostgreSQL's binary format, or a text. */
export type ColumnValue = Buffer | string;

/** Parameters 1 to 4 of the write statement: the heads, in the order in which they are locked. */
export function headColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const [packageId, hash] = [integerColumn(), hashColumn()];
  const [expected, sequence] = [bigintColumn(), bigintColumn()];
  for (const each of batch) {
    packageId.push(each.packageId);
    expected.push(each.expectedSequence);
    sequence.push(each.sequence);
    hash.push(each.hash);
  }
  return [packageId.value(), expected.value(), sequence.value(), hash.value()];
}

/** The last parameter of the write statement: the expected hashes of the heads. */
export function proofColumn(batch: readonly PackageEffects[]): ColumnValue {
  const hash = hashColumn();
  for (const each of batch) hash.push(each.expectedHash);
  return hash.value();
}

/**
 * The parameters with the journal rows. This code runs for every movement. Each column has a separate line of
 * code, because a loop over the columns is measurably slower.
 */
export function journalColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const packages = integerColumn();
  const [sequences, previous, debits, credits] = fourOf(bigintColumn);
  const [amounts, debitBalances, creditBalances] = fourOf(bigintColumn);
  const [kindCodes, resultCodes] = [smallintColumn(), smallintColumn()];
  const [ids, noteHashes] = [uuidColumn(), uuidColumn()];
  const hashes = hashColumn();
  const transactionIds = textColumn();
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
      hashes.push(hash);
      transactionIds.push(movement.transactionId);
      noteHashes.push(movement.noteHash);
    }
  }
  return [
    ...[packages, sequences, previous, debits, credits, amounts].map((column) => column.value()),
    ...[debitBalances, creditBalances, kindCodes, resultCodes].map((column) => column.value()),
    ...[ids.value(), hashes.value(), transactionIds.text(), noteHashes.value()],
  ];
}

const fourOf = <Column>(make: () => Column) => [make(), make(), make(), make()] as const;

export function gameColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const [reference, round] = [uuidColumn(), uuidColumn()];
  const [roundPrevious, shortfall] = [bigintColumn(), bigintColumn()];
  const gameId = textColumn();
  for (const { rows } of batch) {
    for (const { movement } of rows) {
      reference.push(movement.referenceHash);
      round.push(movement.roundHash);
      roundPrevious.push(movement.roundPrevious);
      gameId.push(movement.gameId);
      shortfall.push(movement.shortfall);
    }
  }
  return [reference.value(), round.value(), roundPrevious.value(), gameId.text(), shortfall.value()];
}

export function accountColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const packages = integerColumn();
  const [ids, balances, sequences] = fourOf(bigintColumn);
  for (const { packageId, accounts } of batch) {
    for (const [id, { balance, lastSequence }] of accounts) {
      packages.push(packageId);
      ids.push(id);
      balances.push(balance);
      sequences.push(lastSequence);
    }
  }
  return [packages.value(), ids.value(), balances.value(), sequences.value()];
}

export function noteColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const [packageId, sequence] = [integerColumn(), bigintColumn()];
  const note = textColumn();
  for (const each of batch) {
    for (const row of each.rows) {
      if (row.note === '') continue;
      packageId.push(each.packageId);
      sequence.push(row.movement.sequence);
      note.push(row.note);
    }
  }
  return [packageId.value(), sequence.value(), note.text()];
}

export function betColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const [packages, hashes] = [integerColumn(), uuidColumn()];
  const [accounts, sequences] = [bigintColumn(), bigintColumn()];
  const states = smallintColumn();
  for (const each of batch) {
    for (const bet of each.bets.values()) {
      packages.push(each.packageId);
      hashes.push(bet.hash);
      accounts.push(bet.account);
      states.push(betStates[bet.status]);
      sequences.push(bet.sequence);
    }
  }
  return [packages, hashes, accounts, states, sequences].map((column) => column.value());
}

/** The columns of the bets and rounds that the decisions assumed absent. */
export function assumedColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  return [...keyColumns(batch, (assumed) => assumed.bets), ...keyColumns(batch, (assumed) => assumed.rounds)];
}

function keyColumns(
  batch: readonly PackageEffects[],
  keysOf: (assumed: Assumed) => Assumed['bets'],
): ColumnValue[] {
  const [packages, hashes, accounts] = [integerColumn(), uuidColumn(), bigintColumn()];
  for (const { packageId, assumed } of batch) {
    if (!assumed) continue;
    for (const { hash, account } of keysOf(assumed).values()) {
      packages.push(packageId);
      hashes.push(hash);
      accounts.push(account);
    }
  }
  return [packages.value(), hashes.value(), accounts.value()];
}

export function roundColumns(batch: readonly PackageEffects[]): ColumnValue[] {
  const [packages, hashes, states] = [integerColumn(), uuidColumn(), smallintColumn()];
  const [accounts, bets, wins, sequences] = fourOf(bigintColumn);
  const [id, gameId, zeroBets] = [textColumn(), textColumn(), integerColumn()];
  for (const { packageId, rounds } of batch) {
    for (const round of rounds.values()) {
      packages.push(packageId);
      hashes.push(round.hash);
      accounts.push(round.account);
      states.push(roundStates[round.status]);
      bets.push(round.betTotal);
      wins.push(round.winTotal);
      sequences.push(round.lastSequence);
      id.push(round.id);
      gameId.push(round.gameId);
      zeroBets.push(round.zeroBets);
    }
  }
  return [
    ...[packages, hashes, accounts, states, bets, wins, sequences].map((column) => column.value()),
    ...[id.text(), gameId.text(), zeroBets.value()],
  ];
}
