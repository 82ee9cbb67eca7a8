// The settings of the wallet service.
import {
  databaseUrl,
  type Environment,
  httpUrl,
  list,
  oneOf,
  optionalText,
  port,
  readConfig,
  type Setting,
  urlOf,
  type Values,
  wholeNumber,
} from '@counterfoil/kit/process/config';
import {
  presentDatabase,
  presentServiceSettings,
  requireDatabaseUrl,
  requireInProduction,
  serviceSettings,
} from '@counterfoil/kit/process/service-settings';
import { checkMailSettings, mailSettings, presentMailSettings } from '@counterfoil/mail/mail-settings';
import { presentWebhookSettings, webhookSettings } from '@counterfoil/webhooks/endpoints/webhook-settings';
import { defaultUpstreamLimits, type UpstreamSettings } from './upstream/upstream-settings.ts';

const hostForm = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/;

/** A list of host names as they appear in URLs. An entry with a port allows only this port. */
const hostList = (): Setting<string[]> => ({
  ...list(),
  parse: (given) => {
    const hosts = list().parse(given.toLowerCase());
    const wrong = hosts.filter((host) => !hostForm.test(host));
    if (wrong.length === 0) return hosts;
    throw new Error(`must be hosts such as play.example; ${JSON.stringify(wrong[0])} is not a host`);
  },
});

export const walletSettings = {
  ...serviceSettings,
  ...webhookSettings,
  ...mailSettings,
  WALLET_PORT: port(4200),
  /** The port of process 1. Process 2 uses the next port, and so on; with 65,472, process 64 uses 65,535. */
  WALLET_PROCESS_PORT: {
    parse: wholeNumber({ fallback: 0, min: 1, max: 65_472 }).parse,
    optional: true,
  } satisfies Setting<number | undefined>,
  WALLET_DATABASE_URL: databaseUrl(),
  WALLET_DATABASE_DIRECT_URL: databaseUrl(),
  WALLET_REPLICA_URL: databaseUrl(),
  WALLET_PUBLIC_URL: httpUrl(),
  /**
   * `package` is for a database that is distributed over nodes. There, each statement may concern only one
   * package.
   */
  LEDGER_BATCH_SCOPE: oneOf(['any', 'package'], 'any'),
  PLAYERS_IN_MEMORY: wholeNumber({ fallback: 1_200_000, min: 1000, max: 20_000_000 }),
  /** Whether the processes of a machine hand the orders of a package to the process that writes it. */
  LEDGER_HANDOVER: oneOf(['on', 'off'], 'on'),
  CALLBACK_LOG_DAYS: wholeNumber({ fallback: 30, min: 0, max: 3650 }),
  PROVIDER_PORT: port(4300),
  PROVIDER_PRIVATE_URL: httpUrl(),
  PROVIDER_PUBLIC_URL: httpUrl(),
  PROVIDER_API_TOKEN: { ...optionalText(), secret: true },
  PROVIDER_LAUNCH_HOSTS: hostList(),
  CATALOGUE_MAX_AGE_S: wholeNumber({ fallback: 5, min: 0, max: 15 }),
  GAME_SESSION_MINUTES: wholeNumber({ fallback: 240, min: 1, max: 10_080 }),
};

export type Config = ReturnType<typeof readWalletConfig>;

const publicSettings = [
  'WALLET_PUBLIC_URL',
  'PROVIDER_PRIVATE_URL',
  'PROVIDER_PUBLIC_URL',
  'PROVIDER_API_TOKEN',
];

/**
 * A command requires only the setting for the database. In production, the service also requires
 * `publicSettings`.
 */
export function readWalletConfig(env: Environment, use: 'service' | 'command' = 'service') {
  const values = readConfig(env, walletSettings, (given) => [
    ...checkMailSettings(given),
    ...requireDatabaseUrl('WALLET_DATABASE_URL', env),
    ...(use === 'service'
      ? [...checkProcessPorts(given, env), ...requireInProduction(publicSettings, env)]
      : []),
  ]);
  const standIn = urlOf(values.HOST, values.PROVIDER_PORT);
  const upstream: UpstreamSettings = {
    ...defaultUpstreamLimits,
    privateUrl: values.PROVIDER_PRIVATE_URL ?? `${standIn}/private`,
    publicUrl: values.PROVIDER_PUBLIC_URL ?? `${standIn}/public`,
    token: values.PROVIDER_API_TOKEN,
    launchHosts: values.PROVIDER_LAUNCH_HOSTS,
  };
  return {
    ...presentServiceSettings(values),
    webhooks: presentWebhookSettings(values),
    mail: presentMailSettings(values),
    port: values.WALLET_PORT,
    processPort: portOfProcess(values.WALLET_PROCESS_PORT, env),
    publicUrl: values.WALLET_PUBLIC_URL ?? urlOf(values.HOST, values.WALLET_PORT),
    /**
     * Whether links can be made. False in production without WALLET_PUBLIC_URL, because `publicUrl` then
     * works on this machine only.
     */
    canMakeLinks: values.NODE_ENV !== 'production' || values.WALLET_PUBLIC_URL !== undefined,
    ...presentDatabase(values, {
      url: values.WALLET_DATABASE_URL,
      direct: values.WALLET_DATABASE_DIRECT_URL,
      replica: values.WALLET_REPLICA_URL,
    }),
    onePackagePerBatch: values.LEDGER_BATCH_SCOPE === 'package',
    maxPlayersInMemory: values.PLAYERS_IN_MEMORY,
    handsOrdersOver: values.LEDGER_HANDOVER === 'on',
    callbackLogDays: values.CALLBACK_LOG_DAYS,
    upstream,
    catalogueMaxAgeMs: values.CATALOGUE_MAX_AGE_S * 1000,
    gameSessionMs: values.GAME_SESSION_MINUTES * 60_000,
  };
}

/**
 * The ports of the processes must not include the port that all processes share. `PROCESS_COUNT` is set in
 * each process of the service. It differs from `PROCESSES` if the command line has `--processes`.
 */
function checkProcessPorts(
  { WALLET_PORT: shared, WALLET_PROCESS_PORT: first, PROCESSES }: Partial<Values<typeof walletSettings>>,
  { PROCESS_COUNT }: Environment,
): string[] {
  const count = PROCESS_COUNT === undefined ? PROCESSES : Number(PROCESS_COUNT);
  if (shared === undefined || first === undefined || count === undefined) return [];
  if (shared < first || shared >= first + count) return [];
  return [
    `WALLET_PROCESS_PORT must not give a process the port ${shared}, which is WALLET_PORT. ` +
      `The processes use the ports ${first} to ${first + count - 1}`,
  ];
}

/** The port of this process; undefined if the processes have no ports of their own. */
const portOfProcess = (first: number | undefined, { PROCESS_NUMBER = '1' }: Environment) =>
  first === undefined ? undefined : first + Number(PROCESS_NUMBER) - 1;
