// The connections of a package that are sources of games, from a cache that sees every change within 5 s.
import { createHash } from 'node:crypto';
import { createCache } from '@counterfoil/kit/concurrency/cache';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { GameSource, ListGameSources } from '../../games/game-sources.ts';
import { type Connection, termsOf } from '../connection.ts';
import type { ConnectionFinder, FoundConnection } from '../find-connection.ts';
import { listConnections } from '../queries.ts';
import {
  type ConnectionSource,
  type ConnectionSourceDeps,
  createConnectionSource,
} from './connection-source.ts';
import { outwardDialects } from './outward-dialects.ts';

/**
 * The maximum age of a package's cached list of connections. It matters only if the notification of a change
 * is lost.
 */
const ttlMs = 4000;

/** The maximum number of open sources. If there are more, the source that was opened first is closed. */
const maxOpen = 500;

interface ConnectionSources {
  list: ListGameSources;
  close(): Promise<void>;
}

interface ConnectionSourcesDeps extends ConnectionSourceDeps {
  readonly db: Db;
  readonly connections: ConnectionFinder;
  /** Registers a function that is called after every change of a package or connection. */
  readonly onChange: (call: () => void) => void;
  /** The clock that measures the age of the cached lists of connections. */
  readonly monotonicMs?: () => number;
}

export function createConnectionSources(deps: ConnectionSourcesDeps): ConnectionSources {
  const { db, connections, monotonicMs = () => performance.now() } = deps;
  const open = new Map<string, { key: string; source: ConnectionSource }>();
  const ids = createCache<readonly string[]>({
    ttlMs,
    maxEntries: 10_000,
    now: monotonicMs,
    load: async (packageId) => {
      const listed = (await listConnections(db, Number(packageId))).filter(isSource);
      return listed.map(({ id }) => id);
    },
  });
  deps.onChange(() => ids.clear());

  const drop = (id: string) => {
    void open.get(id)?.source.close();
    open.delete(id);
  };

  const openSource = (found: FoundConnection): GameSource | undefined => {
    const { connection, customerPackage } = found;
    const { upstreamUrl, dialect } = connection;
    const outward = outwardDialects[dialect];
    if (upstreamUrl === undefined || !outward || connection.state === 'paused') return undefined;
    const terms = termsOf(connection, customerPackage);
    const key = makeKey([upstreamUrl, connection.secrets, terms]);
    const known = open.get(connection.id);
    if (known?.key === key) return known.source;
    const [oldest] = open.keys();
    if (known) drop(connection.id);
    else if (open.size >= maxOpen && oldest !== undefined) drop(oldest);
    const source = createConnectionSource(deps, {
      connection: { ...connection, upstreamUrl },
      terms,
      outward,
    });
    open.set(connection.id, { key, source });
    return source;
  };

  return {
    list: async (packageId) => {
      const listed = (await ids.get(String(packageId))) ?? [];
      const found = await Promise.all(listed.map((id) => connections.find(id)));
      return found.flatMap((each) => (each && openSource(each)) ?? []);
    },
    close: async () => {
      await Promise.all([...open.values()].map(({ source }) => source.close()));
    },
  };
}

const isSource = ({ state, upstreamUrl, dialect }: Connection): boolean =>
  state === 'active' && upstreamUrl !== undefined && outwardDialects[dialect] !== undefined;

/**
 * Makes a text that changes whenever one of the covered settings changes. The text is a hash, because the
 * settings contain credentials.
 */
const makeKey = (covered: unknown): string =>
  createHash('sha256').update(JSON.stringify(covered)).digest('base64');
