// A signed-in person as the routes see them, and how long that lasts.
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

/** One of a person's own sessions, for them to look at. */
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
  /** Seen is written at most this often: a page's dozen requests are one write. */
  seenEveryMs: minuteMs,
  perPerson: 50,
} as const;

/** A session lives until it expires, or was not seen since `idleSince`. */
export interface AliveAt {
  readonly now: Date;
  readonly idleSince: Date;
}

export const aliveAt = (now: Date): AliveAt => ({
  now,
  idleSince: new Date(now.getTime() - sessionLimits.idleMs),
});

/** The role of the person in a tenant; undefined when they are no member of it. */
export const findRole = (session: Session, tenantId: bigint): Role | undefined =>
  session.memberships.find((membership) => membership.tenantId === tenantId)?.role;
