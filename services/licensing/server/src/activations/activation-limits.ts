// The number of seats of a licence, the number of its moves to other hosts, and whether a seat is free.
import { type Static, Type } from 'typebox';

/** The largest number of seats of a licence. It limits the number of stored activations. */
const maxSeats = 10_000;
const maxMoves = 100;

export const windowDays = 30;
export const windowMs = windowDays * 86_400_000;

const limitOf = (max: number, description: string) => Type.Integer({ minimum: 0, maximum: max, description });

const LimitsAnswer = Type.Object({
  regular: limitOf(maxSeats, `Hosts at the same time under a Regular licence; 0 means ${maxSeats}.`),
  extended: limitOf(maxSeats, `Hosts at the same time under an Extended licence; 0 means ${maxSeats}.`),
  moves: limitOf(maxMoves, `Moves of a purchase to another host within ${windowDays} days.`),
});

export const SetLimitsAnswer = Type.Partial(LimitsAnswer, {
  description: 'Only the limits that are set here; the others come from the workspace.',
});

export const ActivationLimitsAnswer = Type.Object({ set: SetLimitsAnswer, in_force: LimitsAnswer });

/**
 * The limits of a licence. 0 seats means `maxSeats`; 0 moves means that no move to another host is allowed.
 */
export type ActivationLimits = Readonly<Static<typeof LimitsAnswer>>;

/** The limits that a seller has set, for an item or for the workspace. */
export type SetLimits = Readonly<Static<typeof SetLimitsAnswer>>;

export const defaultLimits: ActivationLimits = { regular: 1, extended: 5, moves: 3 };

export interface Occupancy {
  /** The number of seats in use. */
  readonly used: number;
  /** The number of hosts that released a seat within the last `windowDays` days. */
  readonly left: number;
  /** When the first of the hosts counted in `left` released its seat. */
  readonly firstLeftAt?: Date;
}

export type Room =
  | { readonly free: true }
  | { readonly free: false; readonly code: 'activation_limit_reached' }
  | { readonly free: false; readonly code: 'activation_moves_exhausted'; readonly freeAt: Date };

/**
 * Decides whether a host may activate a purchase. Within `windowDays` days, the number of different hosts is
 * limited to the number of seats plus the number of moves. A host that was active within this time is
 * already counted, so it needs only a free seat.
 */
export function findRoom(given: {
  limit: number;
  moves: number;
  occupancy: Occupancy;
  isKnownHost: boolean;
}): Room {
  const { moves, occupancy } = given;
  const limit = given.limit || maxSeats;
  if (occupancy.used >= limit) return { free: false, code: 'activation_limit_reached' };
  const hosts = occupancy.used + occupancy.left;
  if (given.isKnownHost || !occupancy.firstLeftAt || hosts < limit + moves) return { free: true };
  const freeAt = new Date(occupancy.firstLeftAt.getTime() + windowMs);
  return { free: false, code: 'activation_moves_exhausted', freeAt };
}
