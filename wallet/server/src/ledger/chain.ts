// The hash chain over a package's journal: changing, removing or moving one row breaks every later one.
import { createHash } from 'node:crypto';
import { kinds, type Movement, results } from './movement.ts';

/** What a package's chain starts from; it names the package, so chains cannot be swapped. */
export function makeGenesisHash(packageId: number): Buffer {
  return createHash('sha256').update(`counterfoil/journal/v1/${packageId}`).digest();
}

const fixedBytes = 4 + 2 + 2 + 8 * 10;

/**
 * SHA-256 over the hash before and every column of the row, each in one form only: numbers of fixed
 * length, hashes of 16 bytes (zeros where there is none), texts with their length in front.
 */
export function chainMovement(previousHash: Buffer, movement: Movement): Buffer {
  const transactionId = Buffer.from(movement.transactionId, 'utf8');
  const gameId = Buffer.from(movement.gameId ?? '', 'utf8');
  const bytes = Buffer.alloc(32 + fixedBytes + 16 * 4 + 4 + transactionId.length + gameId.length);
  previousHash.copy(bytes, 0);
  let at = 32;
  at = bytes.writeInt32BE(movement.packageId, at);
  at = bytes.writeInt16BE(kinds[movement.kind], at);
  at = bytes.writeInt16BE(results[movement.result], at);
  for (const number of [
    movement.sequence,
    movement.previousSequence,
    movement.debitAccount,
    movement.creditAccount,
    movement.amount,
    movement.debitBalance,
    movement.creditBalance,
    BigInt(movement.createdAtMs),
    movement.roundPrevious ?? -1n,
    movement.gameId === undefined ? 0n : 1n,
  ]) {
    at = bytes.writeBigInt64BE(number, at);
  }
  for (const hash of [
    movement.idHash,
    movement.noteHash,
    movement.referenceHash,
    movement.roundHash,
  ]) {
    if (hash !== undefined) bytes.write(hash, at, 'hex');
    at += 16;
  }
  at = bytes.writeUInt16BE(transactionId.length, at);
  at += transactionId.copy(bytes, at);
  at = bytes.writeUInt16BE(gameId.length, at);
  gameId.copy(bytes, at);
  return createHash('sha256').update(bytes).digest();
}
