// The seats of a licence, how often it may move, and whether a seat is free.
import { Type } from 'typebox';

/** The upper limit of every licence, so that the number of rows is bounded. */
const maxSeats = 10_000;
const maxMoves = 100;

/** 0 seats means `maxSeats`; 0 moves means none. */
export interface ActivationLimits {
  readonly regular: number;
  readonly extended: number;
  /** Within `windowDays`. */
  readonly moves: number;
}

/** The limits that a seller set; undefined ones come from the workspace, then from the defaults. */
export type SetLimits = { readonly [Name in keyof ActivationLimits]: number | undefined };

export const firstLimits: ActivationLimits = { regular: 1, extended: 5, moves: 3 };

export const noLimitsSet: SetLimits = { regular: undefined, extended: undefined, moves: undefined };

export const windowDays = 30;
export const windowMs = windowDays * 86_400_000;

/** The item's limits come first, then the workspace's, then the defaults. */
export const settleLimits = (item: SetLimits, workspace: SetLimits): ActivationLimits => ({
  regular: item.regular ?? workspace.regular ?? firstLimits.regular,
  extended: item.extended ?? workspace.extended ?? firstLimits.extended,
  moves: item.moves ?? workspace.moves ?? firstLimits.moves,
});

export interface Occupancy {
  /** Seats in use. */
  readonly used: number;
  /** Seats that were released within the window, each by another host. */
  readonly left: number;
  /** Time of the first of these releases. */
  readonly firstLeftAt: Date | undefined;
}

export type Room =
  | { readonly free: true }
  | { readonly free: false; readonly code: 'activation_limit_reached' }
  | { readonly free: false; readonly code: 'activation_moves_exhausted'; readonly freeAt: Date };

/**
 * Within the window a purchase may run on one host per seat, and on one more host for each move. A host
 * that returns was counted already, so it only needs a free seat.
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

const limitOf = (max: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: max, description });

const LimitsAnswer = Type.Object({
  regular: limitOf(maxSeats, `Hosts at once under a Regular licence; 0 is ${maxSeats}.`),
  extended: limitOf(maxSeats, `Hosts at once under an Extended licence; 0 is ${maxSeats}.`),
  moves: limitOf(maxMoves, `How often a purchase may move to another host in ${windowDays} days.`),
});

export const SetLimitsAnswer = Type.Partial(LimitsAnswer, {
  description: 'Only what was set here; the rest comes from the workspace.',
});

export const ActivationLimitsAnswer = Type.Object({ set: SetLimitsAnswer, in_force: LimitsAnswer });

export const presentSetLimits = ({ regular, extended, moves }: SetLimits) => ({
  ...(regular !== undefined && { regular }),
  ...(extended !== undefined && { extended }),
  ...(moves !== undefined && { moves }),
});
