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

/** A session in the list of its person. */
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
  /** Minimum interval between updates of `last_seen_at`, because one page sends a dozen requests. */
  seenEveryMs: minuteMs,
  perPerson: 50,
} as const;

export type AliveAt = ReturnType<typeof aliveAt>;

/** A session is alive if it expires after `now` and was used after `idleSince`. */
export const aliveAt = (now: Date) => ({ now, idleSince: new Date(now.getTime() - sessionLimits.idleMs) });

/** The role of the person in a tenant; undefined if they are not a member. */
export const findRole = (session: Session, tenantId: bigint): Role | undefined =>
  session.memberships.find((membership) => membership.tenantId === tenantId)?.role;
