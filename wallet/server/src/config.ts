// The wallet service's settings.
import {
  databaseUrl,
  type Environment,
  httpUrl,
  port,
  readConfig,
  urlOf,
  wholeNumber,
} from '@counterfoil/kit/config';
import {
  presentServiceSettings,
  requireDatabaseUrl,
  serviceSettings,
} from '@counterfoil/kit/service-settings';

export const walletSettings = {
  ...serviceSettings,
  WALLET_PORT: port(4200),
  WALLET_DATABASE_URL: databaseUrl(),
  WALLET_PUBLIC_URL: httpUrl(),
  CALLBACK_LOG_DAYS: wholeNumber({ fallback: 30, min: 0, max: 3650 }),
};

export type Config = ReturnType<typeof readWalletConfig>;

export function readWalletConfig(env: Environment) {
  const values = readConfig(env, walletSettings, () =>
    requireDatabaseUrl('WALLET_DATABASE_URL', env),
  );
  return {
    ...presentServiceSettings(values),
    port: values.WALLET_PORT,
    publicUrl: values.WALLET_PUBLIC_URL ?? urlOf(values.HOST, values.WALLET_PORT),
    databaseUrl: values.WALLET_DATABASE_URL ?? '',
    callbackLogDays: values.CALLBACK_LOG_DAYS,
  };
}
