// A person who signs in, their memberships, and the rules for e-mails and names.

import type { Language } from '@counterfoil/kit/http/headers';
import { isMailAddress, isPrintable, MailText, PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';

export const roles = ['owner', 'member', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** The platform is stored as a tenant with this id. All members of the platform are administrators. */
export const platformTenantId = 0n;

export const fitsTenant = (role: Role, tenantId: bigint): boolean =>
  (role === 'administrator') === (tenantId === platformTenantId);

/**
 * Whether the role is owner or administrator. Every tenant has at least one member with one of these roles.
 */
export const isLeading = (role: Role): boolean => role !== 'member';

export interface Membership {
  readonly tenantId: bigint;
  readonly role: Role;
}

/** A person as the other members of a tenant see them. */
export interface Member {
  readonly personId: bigint;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly secondFactor: boolean;
  readonly disabled: boolean;
  readonly joinedAt: Date;
}

export interface SecondFactor {
  readonly sealed: Buffer | null;
  readonly confirmedAt: Date | null;
  readonly lastStep: bigint | null;
  readonly recoveryCodeHashes: readonly Buffer[];
}

export const noSecondFactor: SecondFactor = {
  sealed: null,
  confirmedAt: null,
  lastStep: null,
  recoveryCodeHashes: [],
};

export interface Person {
  readonly id: bigint;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly secondFactor: SecondFactor;
  readonly disabledAt: Date | null;
  /** The language in which the person last used the panel. */
  readonly language: Language | null;
}

const maxEmailLength = 254;
const maxNameLength = 100;

export const Email = MailText({
  min: 3,
  max: maxEmailLength,
  description: 'Letter case does not matter.',
  examples: ['ada@example.com'],
});

export const PersonName = PrintableText({ min: 1, max: maxNameLength, examples: ['Ada Byron'] });

export const Role = Type.Enum([...roles]);

/** Returns the form in which an e-mail is stored and looked up, or undefined if the text is not an e-mail. */
export function parseEmail(text: string): string | undefined {
  const normal = text.trim().normalize('NFC').toLowerCase();
  return normal.length <= maxEmailLength && isMailAddress(normal) ? normal : undefined;
}

/** Returns the name without surrounding spaces, or undefined if it is empty, too long or not printable. */
export function parseName(text: string): string | undefined {
  const name = text.trim();
  const fits = name !== '' && [...name].length <= maxNameLength && isPrintable(name);
  return fits ? name : undefined;
}
