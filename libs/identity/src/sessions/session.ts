// The session of a signed-in person, and its limits.
import type { Membership, Role } from '../members/person.ts';

export interface Session {
  readonly id: bigint;
  readonly personId: bigint;
  readonly email: string;
  readonly name: string;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly memberships: readonly Membership[];
}

/** A session in a person's list of sessions. */
export interface ListedSession {
  readonly id: bigint;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const sessionLimits = {
  idleMs: 12 * hourMs,
  absoluteMs: 30 * 24 * hourMs,
  /**
   * The minimum interval between two updates of `last_seen_at`. One page sends a dozen requests, which need
   * one update.
   */
  seenEveryMs: minuteMs,
  perPerson: 50,
} as const;

export type AliveAt = ReturnType<typeof aliveAt>;

/** A session is alive if it expires after `now` and was last used after `idleSince`. */
export const aliveAt = (now: Date) => ({ now, idleSince: new Date(now.getTime() - sessionLimits.idleMs) });

/** Returns the role of the person in a tenant, or undefined if the person is not a member. */
export const findRole = (session: Session, tenantId: bigint): Role | undefined =>
  session.memberships.find((membership) => membership.tenantId === tenantId)?.role;
