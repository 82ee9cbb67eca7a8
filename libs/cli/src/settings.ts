// The settings of `npm start`. They include the settings of all services, so that all problems are reported
// together.
import { resolve } from 'node:path';
import { type MasterKey, parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Environment, readConfig, text, urlOf } from '@counterfoil/kit/process/config';
import { readProcesses } from '@counterfoil/kit/process/run-processes';
import { licensingSettings } from '@counterfoil/licensing-server/config';
import { providerSettings } from '@counterfoil/provider/config';
import { walletSettings } from '@counterfoil/wallet-server/config';

const settings = {
  ...providerSettings,
  ...licensingSettings,
  ...walletSettings,
  DATA_DIR: text('./data'),
  MASTER_KEY: {
    secret: true,
    optional: true,
    parse: (given: string): MasterKey | undefined => parseMasterKey(given),
  },
};

const portNames = ['LICENSING_PORT', 'WALLET_PORT', 'PROVIDER_PORT'] as const;

/**
 * The number of connections that a process opens outside its pool, for the ledger, the listeners and the
 * readiness check.
 */
const besidePool = 10;
/** Additional connections for commands, proofs and `psql`. */
const spare = 40;

export function readStartSettings(env: Environment, args: readonly string[]) {
  const values = readConfig(env, settings, (seen) => {
    const problems: string[] = [];
    // A port that could not be parsed is skipped, because it is reported separately.
    const ports = portNames.map((name) => seen[name]).filter((port) => port !== undefined);
    if (new Set(ports).size < ports.length) {
      problems.push(`${portNames.join(', ')} must be three different ports`);
    }
    if (seen.NODE_ENV === 'production') {
      problems.push(
        'NODE_ENV=production is for npm run start:licensing and npm run start:wallet; npm start is the demo',
      );
    }
    return problems;
  });
  const at = (port: number) => urlOf(values.HOST, port);
  const processes = readProcesses(args, env);
  return {
    dataDir: resolve(values.DATA_DIR),
    /** The number of processes of each service. The stand-in provider always has one process. */
    processes,
    /** The `max_connections` of PostgreSQL: enough for all processes of both services, plus `spare`. */
    maxConnections: Math.max(100, 2 * processes * (values.DATABASE_CONNECTIONS + besidePool) + spare),
    hasMasterKey: values.MASTER_KEY !== undefined,
    hasApiToken: values.PROVIDER_API_TOKEN !== undefined,
    hasControlToken: values.PROVIDER_CONTROL_TOKEN !== undefined,
    databaseUrls: {
      licensing: values.LICENSING_DATABASE_URL,
      wallet: values.WALLET_DATABASE_URL,
    },
    addresses: {
      licensing: values.LICENSING_PUBLIC_URL ?? at(values.LICENSING_PORT),
      wallet: values.WALLET_PUBLIC_URL ?? at(values.WALLET_PORT),
      provider: at(values.PROVIDER_PORT),
    },
  };
}

export type StartSettings = ReturnType<typeof readStartSettings>;
