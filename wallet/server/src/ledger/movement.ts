// A movement of money between two accounts of one package, and the chain that binds all of them.
import { createHash } from 'node:crypto';

/** The package's own accounts; players are numbered above them, so the greater one is the player. */
export const creditAccount = 1n;
export const issuanceAccount = 3n;

export const movementKinds = {
  credit: 1,
  debit: 2,
  top_up: 3,
} as const;
export type MovementKind = keyof typeof movementKinds;

export interface Movement {
  readonly packageId: number;
  readonly sequence: bigint;
  readonly previousSequence: bigint;
  readonly kind: MovementKind;
  readonly debitAccount: bigint;
  readonly creditAccount: bigint;
  readonly amount: bigint;
  readonly debitBalance: bigint;
  readonly creditBalance: bigint;
  readonly transactionId: string;
  readonly createdAt: Date;
}

/** What the chain of a package starts from; it names the package, so chains cannot be swapped. */
export function makeGenesisHash(packageId: number): Buffer {
  return createHash('sha256').update(`counterfoil/journal/v1/${packageId}`).digest();
}

/** Each row's hash covers the row before it: changing one row breaks every later one. */
export function chainMovement(previousHash: Buffer, movement: Movement): Buffer {
  const text = JSON.stringify([
    String(movement.packageId),
    String(movement.sequence),
    String(movement.previousSequence),
    movement.kind,
    String(movement.debitAccount),
    String(movement.creditAccount),
    String(movement.amount),
    String(movement.debitBalance),
    String(movement.creditBalance),
    movement.transactionId,
    movement.createdAt.toISOString(),
  ]);
  return createHash('sha256').update(previousHash).update(text).digest();
}

/** Ids of different spaces never meet: a caller's `1` is not an administrator's `1`. */
export function hashTransactionId(space: 'caller' | 'admin', transactionId: string): string {
  const digest = createHash('sha256').update(`${space}\0${transactionId}`).digest('hex');
  return digest.slice(0, 32);
}
