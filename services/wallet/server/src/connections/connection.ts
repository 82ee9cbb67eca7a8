// A provider connection: a provider that calls the wallet in its own protocol for one package.
import { randomBytes } from 'node:crypto';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { Dialect, DialectName, Secrets, Terms } from './dialects/dialect.ts';

export type ConnectionState = 'active' | 'paused';

export interface Connection {
  readonly packageId: number;
  readonly id: string;
  readonly name: string;
  readonly dialect: DialectName;
  /** A variant of the dialect, for example `caleta` of hub88; empty if there is none. */
  readonly profile: string;
  readonly state: ConnectionState;
  readonly gamePrefix: string;
  /** The package's currency by the provider's code for it. */
  readonly currencies: Readonly<Record<string, string>>;
  readonly upstreamUrl: string | undefined;
  readonly createdAt: Date;
}

/** A connection with its unsealed credentials. */
export interface OpenConnection extends Connection {
  readonly secrets: Secrets;
  /** The credentials before the last rotation. */
  readonly previous: { readonly secrets: Secrets; readonly until: Date } | undefined;
}

/** The id begins with the package's number, because a call names nothing else. The rest cannot be guessed. */
export const makeConnectionId = (packageId: number): string =>
  `con_${packageId}x${randomBytes(15).toString('hex')}`;

const idForm = /^con_([1-9]\d{0,9})x[0-9a-f]{30}$/;

/** The package's number in the id of a connection; undefined if the text is no such id. */
export function findPackageNumber(id: string): number | undefined {
  const number = Number(idForm.exec(id)?.[1]);
  return number <= 2 ** 31 - 1 ? number : undefined;
}

/** The credentials that are accepted now, the current ones first. */
export function listLiveSecrets({ secrets, previous }: OpenConnection, now: Date): readonly Secrets[] {
  return previous && previous.until > now ? [secrets, previous.secrets] : [secrets];
}

export const termsOf = (
  { currencies, gamePrefix, profile }: Connection,
  { currency, decimals }: CustomerPackage,
): Terms => ({ currency, decimals, currencies, gamePrefix, profile });

export type Dialects = Readonly<Record<DialectName, Dialect>>;
