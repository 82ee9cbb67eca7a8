// One-time links: what each kind of them carries.
import type { Role } from '../members/person.ts';

export interface Invitation {
  readonly purpose: 'invitation';
  readonly email: string;
  readonly tenantId: bigint;
  readonly role: Role;
}

export interface PasswordReset {
  readonly purpose: 'password_reset';
  readonly email: string;
  readonly personId: bigint;
}

export type Link = Invitation | PasswordReset;

export interface OpenInvitation {
  readonly id: bigint;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: bigint | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What is handed to the person who passes the link on; the token is kept nowhere. */
export interface MadeLink {
  readonly id: bigint;
  readonly url: string;
  readonly expiresAt: Date;
}
