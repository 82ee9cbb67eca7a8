// Runs the stand-in for an upstream game provider as a process.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { readConfig, urlOf } from '@counterfoil/kit/process/config';
import { runMain } from '@counterfoil/kit/process/run-main';
import { serve } from '@counterfoil/kit/process/serve';
import { buildProvider } from './app.ts';
import { providerSettings } from './config.ts';

/** A random token. It is used if no token is configured, so that no API is open to everyone. */
const makeToken = () => randomBytes(24).toString('base64url');

runMain(async () => {
  const config = readConfig(process.env, providerSettings);
  const logger = createLogger({ service: 'provider', level: config.LOG_LEVEL });
  const controlToken = config.PROVIDER_CONTROL_TOKEN ?? makeToken();
  const app = await buildProvider({
    logger,
    dataDir: resolve(config.PROVIDER_DATA_DIR),
    siteUrl: config.PROVIDER_SITE_URL ?? urlOf(config.HOST, config.PROVIDER_PORT),
    apiToken: config.PROVIDER_API_TOKEN ?? makeToken(),
    controlToken,
  });
  await serve({
    app,
    host: config.HOST,
    port: config.PROVIDER_PORT,
    logger,
    drainMs: 3000,
    hello: { control_token: controlToken },
  });
});
