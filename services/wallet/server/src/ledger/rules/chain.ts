// The hash chain over a package's journal: changing, removing or moving a row breaks all later hashes.
import { createHash, hash } from 'node:crypto';
import { kinds, type Movement, results } from './movement.ts';

/**
 * The first hash of a package's chain. It depends on the package, so the chain of one package is not valid
 * for another package.
 */
export function makeGenesisHash(packageId: number): Buffer {
  return createHash('sha256').update(`counterfoil/journal/v1/${packageId}`).digest();
}

const fixedBytes = 4 + 2 + 2 + 8 * 10 + 16 * 4;

/** A buffer for one encoded row, with room for two texts of 512 characters. It is reused for every row. */
const scratch = Buffer.alloc(4096);
const view = new DataView(scratch.buffer, scratch.byteOffset, scratch.length);

/**
 * SHA-256 over the previous hash and every column of the row. The encoding is unambiguous: numbers have a
 * fixed length, hashes have 16 bytes (zeros if there is no hash), and the length of each text precedes it.
 */
export function chainMovement(previousHash: Buffer, movement: Movement): Buffer {
  previousHash.copy(scratch, 0);
  view.setInt32(32, movement.packageId);
  view.setInt16(36, kinds[movement.kind]);
  view.setInt16(38, results[movement.result]);
  view.setBigInt64(40, movement.sequence);
  view.setBigInt64(48, movement.previousSequence);
  view.setBigInt64(56, movement.debitAccount);
  view.setBigInt64(64, movement.creditAccount);
  view.setBigInt64(72, movement.amount);
  view.setBigInt64(80, movement.debitBalance);
  view.setBigInt64(88, movement.creditBalance);
  view.setBigInt64(96, BigInt(movement.createdAtMs));
  view.setBigInt64(104, movement.roundPrevious ?? -1n);
  view.setBigInt64(112, movement.gameId === undefined ? 0n : 1n);
  scratch.write(movement.idHash, 120, 'hex');
  writeHash(movement.noteHash, 136);
  writeHash(movement.referenceHash, 152);
  writeHash(movement.roundHash, 168);
  let end = writeText(movement.gameId ?? '', writeText(movement.transactionId, 32 + fixedBytes));
  // The shortfall is hashed only if there is one, so that the hashes of all other rows stay as version 0.1
  // computed them. Only reversals of wins have a shortfall.
  if (movement.shortfall !== undefined) {
    view.setBigInt64(end, movement.shortfall);
    end += 8;
  }
  // The digest is fetched as text: each buffer that `hash` returns costs about 1 µs more, because it is
  // allocated outside the heap of JavaScript.
  return Buffer.from(hash('sha256', scratch.subarray(0, end), 'binary'), 'latin1');
}

function writeHash(digits: string | undefined, at: number): void {
  if (digits === undefined) scratch.fill(0, at, at + 16);
  else scratch.write(digits, at, 'hex');
}

function writeText(text: string, at: number): number {
  if (text.length > 512) throw new Error('an id in the journal is too long');
  const length = scratch.write(text, at + 2, 'utf8');
  view.setUint16(at, length);
  return at + 2 + length;
}
