// A provider connection: a provider that calls the wallet in its own protocol for one package.
import { randomBytes } from 'node:crypto';
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import type { CustomerPackage } from '../packages/customer-package.ts';
import {
  type Dialect,
  type DialectName,
  dialectNames,
  type Secrets,
  type Terms,
} from './dialects/dialect.ts';

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
  /** The keys are the provider's currency codes. Each value is the package's currency. */
  readonly currencies: Readonly<Record<string, string>>;
  readonly upstreamUrl: string | undefined;
  /**
   * Whether references and transaction ids of Valkyrie share one name space, as in connections that an early
   * version of the wallet created.
   */
  readonly sharesNames: boolean;
  readonly createdAt: Date;
}

/**
 * The id, name and dialect of a connection, which may have been deleted. Movements of a deleted connection
 * remain and still show its name.
 */
export type NamedConnection = Pick<Connection, 'id' | 'name' | 'dialect'>;

/** A connection in a list, without credentials. */
export interface ListedConnection extends Connection {
  /** The time until which the wallet still accepts the credentials that the last rotation replaced. */
  readonly previousUntil: Date | undefined;
}

/** A connection with its unsealed credentials. */
export interface OpenConnection extends Connection {
  readonly secrets: Secrets;
  /** The credentials before the last rotation, and the time until which they are accepted. */
  readonly previous: { readonly secrets: Secrets; readonly until: Date } | undefined;
}

/**
 * Makes an id that begins with the package's number, because a provider's call names only the connection and
 * not the package. The rest of the id cannot be guessed.
 */
export const makeConnectionId = (packageId: number): string =>
  `con_${packageId}x${randomBytes(15).toString('hex')}`;

const exampleId = 'con_1x3f9a2c417b5d8e6f0a1b2c3d4e5f60';

const idForm = /^con_([1-9]\d{0,9})x[0-9a-f]{30}$/;

/**
 * Reads the package's number from the id of a connection; undefined if the text is not the id of a
 * connection.
 */
export function findPackageNumber(id: string): number | undefined {
  const number = Number(idForm.exec(id)?.[1]);
  return number <= 2 ** 31 - 1 ? number : undefined;
}

/** Lists the credentials that are accepted now, with the current credentials first. */
export function listLiveSecrets({ secrets, previous }: OpenConnection, now: Date): readonly Secrets[] {
  return previous && previous.until > now ? [secrets, previous.secrets] : [secrets];
}

export const termsOf = (
  { currencies, gamePrefix, profile, sharesNames }: Connection,
  { currency, decimals }: CustomerPackage,
): Terms => ({ currency, decimals, currencies, gamePrefix, profile, sharesNames });

export const ConnectionId = PrintableText({ min: 1, max: 64 });

const ConnectionName = named(
  'ConnectionName',
  Type.Object({
    id: Type.String({ examples: [exampleId] }),
    name: Type.String(),
    dialect: Type.Enum([...dialectNames]),
  }),
);

/** Only movements, rounds and calls of a provider connection have this field. */
export const ConnectionMark = Type.Optional(ConnectionName);

export const markConnection = (connection: NamedConnection | undefined): { connection?: NamedConnection } => {
  if (!connection) return {};
  const { id, name, dialect } = connection;
  return { connection: { id, name, dialect } };
};

export type Dialects = Readonly<Record<DialectName, Dialect>>;

const Time = Type.String({ format: 'date-time' });

export const ConnectionAnswer = named(
  'ProviderConnection',
  Type.Object({
    id: Type.String({ examples: [exampleId] }),
    name: Type.String(),
    dialect: Type.Enum([...dialectNames]),
    profile: Nullable(Type.Enum(['caleta']), {
      description: 'The variant of the dialect; null if there is none.',
    }),
    state: Type.Enum(['active', 'paused'], {
      description: '`paused`: every call is answered with an error that the provider repeats.',
    }),
    url: Type.String({ description: 'The address to give to the provider, which adds its own paths.' }),
    game_prefix: Type.String(),
    currencies: Type.Record(Type.String(), Type.String()),
    upstream_url: Nullable(Type.String()),
    old_until: Nullable(Time, {
      description: 'Time until which the replaced credentials are accepted; null if they have ended.',
    }),
    created_at: Time,
  }),
);

/**
 * Presents a connection. The address of the connection is `providersUrl` followed by the id. `providersUrl`
 * is the public address of all connections.
 */
export const presentConnection = (
  connection: ListedConnection,
  { providersUrl, now }: { providersUrl: string; now: Date },
) => {
  const { id, name, dialect, profile, state, previousUntil } = connection;
  return {
    id,
    name,
    dialect,
    profile: profile === 'caleta' ? ('caleta' as const) : null,
    state,
    url: writeConnectionUrl(providersUrl, id),
    game_prefix: connection.gamePrefix,
    currencies: { ...connection.currencies },
    upstream_url: connection.upstreamUrl ?? null,
    old_until: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    created_at: connection.createdAt.toISOString(),
  };
};

export const writeProvidersUrl = (publicUrl: string): string => `${publicUrl}/providers`;

export const writeConnectionUrl = (providersUrl: string, id: string): string => `${providersUrl}/${id}`;

/**
 * The prefix of the paths that providers call. The id of the connection and a path of the dialect follow it.
 */
export const providersPrefix = '/providers/';

export const isProviderUrl = (url: string): boolean => url.startsWith(providersPrefix);

/** The parts of a URL after `/providers/`: the id of the connection, its path and the query. */
export function splitUrl(url: string): { id: string; path: string; query: string } {
  const queryAt = url.indexOf('?');
  const end = queryAt < 0 ? url.length : queryAt;
  const slashAt = url.indexOf('/', providersPrefix.length);
  const idEnd = slashAt < 0 || slashAt > end ? end : slashAt;
  const id = url.slice(providersPrefix.length, idEnd);
  return { id, path: url.slice(idEnd, end), query: url.slice(end + 1) };
}
