// Fixed-length hashes of ids: the first half of a SHA-256, as 32 hex digits.
import { hash } from 'node:crypto';

/**
 * The space of an id. Equal ids of different spaces have different hashes: a caller's `1` is not a provider's
 * bet `1`.
 */
export type IdSpace =
  | 'caller'
  | 'admin'
  | `bet:${string}`
  | `win:${string}`
  | `rollback:${string}`
  | `end_round:${string}`
  /** All transactions of a provider connection: its bets, wins and rollbacks share one space. */
  | `connection:${string}`
  /** The requests of a provider connection. */
  | `request:${string}`;

export function hashId(space: IdSpace, id: string): string {
  return hash('sha256', `${space}\0${id}`, 'hex').slice(0, 32);
}

/**
 * The hash of a round of a provider. This hash and an account together identify a player's part in the round.
 */
export function hashRound(provider: string, roundId: string): string {
  return hash('sha256', `round:${provider}\0${roundId}`, 'hex').slice(0, 32);
}

/**
 * The hash of a note. Notes are compared by hash, so that a repeat is still detected after the note was
 * erased.
 */
export function hashNote(note: string): string | undefined {
  if (note === '') return undefined;
  return hash('sha256', `note\0${note}`, 'hex').slice(0, 32);
}
