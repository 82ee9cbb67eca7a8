// Runs the stand-in for an upstream game provider as a process.
import { randomBytes } from 'node:crypto';
import { buildApp } from '@counterfoil/kit/app';
import { readConfig } from '@counterfoil/kit/config';
import { serveHealth } from '@counterfoil/kit/health';
import { createLogger } from '@counterfoil/kit/logging';
import { runMain } from '@counterfoil/kit/run-main';
import { serve } from '@counterfoil/kit/serve';
import { providerSettings } from './config.ts';
import { errors } from './errors.ts';

runMain(async () => {
  const config = readConfig(process.env, providerSettings);
  const logger = createLogger({ service: 'provider', level: config.LOG_LEVEL });
  const app = buildApp({ errors, logger });
  serveHealth(app, 'provider');
  // A token of its own where none is given: the control API is never open.
  const controlToken = config.PROVIDER_CONTROL_TOKEN ?? randomBytes(24).toString('base64url');
  await serve({
    app,
    host: config.HOST,
    port: config.PROVIDER_PORT,
    logger,
    hello: { control_token: controlToken },
  });
});
