// The settings that all services share.
import { isIP } from 'node:net';
import { type MasterKey, parseMasterKey } from '../crypto/secrets.ts';
import { logLevels } from '../observability/logging.ts';
import { markPooled } from '../postgres/pooler.ts';
import {
  type Environment,
  host,
  list,
  oneOf,
  optionalText,
  type Setting,
  type Values,
  wholeNumber,
} from './config.ts';

const masterKey = (): Setting<MasterKey> => ({ secret: true, parse: parseMasterKey });

const proxyList = (): Setting<string[]> => ({
  ...list(),
  parse: (given) => {
    const addresses = list().parse(given);
    const wrong = addresses.filter((address) => !isAddressOrRange(address));
    if (wrong.length === 0) return addresses;
    throw new Error(`must be IP addresses or CIDR ranges; ${wrong.join(', ')} is not`);
  },
});

function isAddressOrRange(given: string): boolean {
  const [address = '', bits, ...rest] = given.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

export const serviceSettings = {
  NODE_ENV: oneOf(['development', 'test', 'production'], 'development'),
  HOST: host(),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  TRUST_PROXY: proxyList(),
  METRICS_TOKEN: { ...optionalText(), secret: true },
  MASTER_KEY: masterKey(),
  /**
   * `npm start` sets this to `on`. The service then fills an empty database with demo data and reports the
   * credentials of the demo.
   */
  DEMO: oneOf(['off', 'on'], 'off'),
  DATABASE_CONNECTIONS: wholeNumber({ fallback: 10, min: 2, max: 500 }),
  /** The kind of pooler at the database's address. `transaction` means PgBouncer in transaction mode. */
  DATABASE_POOLER: oneOf(['none', 'transaction'], 'none'),
  REPLICA_MAX_LAG_SECONDS: wholeNumber({ fallback: 30, min: 1, max: 86_400 }),
  /** Multiplies every built-in deadline: see libs/kit/src/process/deadline-factor.ts. */
  DEADLINE_FACTOR: wholeNumber({ fallback: 1, min: 1, max: 1000 }),
  AUTH_FAILURES_PER_MINUTE: wholeNumber({ fallback: 60, min: 0, max: 1_000_000 }),
  /** Whether plain requests are read directly from their sockets, without `node:http`. */
  SOCKET_FAST_PATH: oneOf(['on', 'off'], 'on'),
  DRAIN_SECONDS: wholeNumber({ fallback: 10, min: 0, max: 300 }),
  /**
   * The time for which a stopping process still accepts requests while `/readyz` reports that the process is
   * not ready.
   */
  LEAVE_NOTICE_SECONDS: wholeNumber({ fallback: 0, min: 0, max: 300 }),
  /** This setting is read before all other settings: see libs/kit/src/process/run-processes.ts. */
  PROCESSES: wholeNumber({ fallback: 1, min: 1, max: 64 }),
};

/** Returns the shared settings under the names that the code uses. */
export const presentServiceSettings = (values: Values<typeof serviceSettings>) => ({
  production: values.NODE_ENV === 'production',
  host: values.HOST,
  databaseConnections: values.DATABASE_CONNECTIONS,
  masterKey: values.MASTER_KEY,
  metricsToken: values.METRICS_TOKEN,
  trustProxy: values.TRUST_PROXY,
  logLevel: values.LOG_LEVEL,
  demo: values.DEMO === 'on',
  authFailuresPerMinute: values.AUTH_FAILURES_PER_MINUTE,
  servesFromSockets: values.SOCKET_FAST_PATH === 'on',
  drainMs: values.DRAIN_SECONDS * 1000,
  noticeMs: values.LEAVE_NOTICE_SECONDS * 1000,
});

export function presentDatabase(
  values: Pick<Values<typeof serviceSettings>, 'DATABASE_POOLER' | 'REPLICA_MAX_LAG_SECONDS'>,
  given: { url: string | undefined; direct: string | undefined; replica: string | undefined },
) {
  const { url = '', replica } = given;
  const isPooled = values.DATABASE_POOLER === 'transaction' && url !== '';
  const databaseUrl = isPooled ? markPooled(url) : url;
  const maxLagMs = values.REPLICA_MAX_LAG_SECONDS * 1000;
  return {
    databaseUrl,
    /**
     * The URL for work that needs a database session (listening, migrating). If `direct` is given, this URL
     * bypasses the pooler.
     */
    directUrl: given.direct ?? databaseUrl,
    /** A replica for exports and reports, and its maximum lag. */
    replica: replica === undefined ? undefined : { url: replica, maxLagMs },
  };
}

/**
 * Reports that the address of the database is missing. The function reads `env` and not the parsed value. A
 * parsed value is undefined both for a missing and for a wrong address, and a wrong address must not be
 * reported as missing.
 */
export function requireDatabaseUrl(name: string, env: Environment): string[] {
  if (env[name] || env[`${name}_FILE`]) return [];
  return [`${name} is required when the service runs alone (npm start brings a database along)`];
}

/**
 * Reports settings that are missing in production. Production requires them, because their defaults point to
 * this machine.
 */
export function requireInProduction(names: readonly string[], env: Environment): string[] {
  if (env.NODE_ENV !== 'production') return [];
  return names
    .filter((name) => !env[name] && !env[`${name}_FILE`])
    .map((name) => `${name} is required when NODE_ENV is production`);
}
