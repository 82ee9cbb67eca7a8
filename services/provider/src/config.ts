// The stand-in provider's settings.

import { logLevels } from '@counterfoil/kit/observability/logging';
import { host, httpUrl, oneOf, optionalText, port, text } from '@counterfoil/kit/process/config';

export const providerSettings = {
  HOST: host(),
  PROVIDER_PORT: port(4300),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  /** Where it keeps registered packages and what it still has to deliver. */
  PROVIDER_DATA_DIR: text('./data/provider'),
  /** What addresses of games and pictures begin with, where that is not host and port. */
  PROVIDER_SITE_URL: httpUrl(),
  PROVIDER_API_TOKEN: { ...optionalText(), secret: true },
  PROVIDER_CONTROL_TOKEN: { ...optionalText(), secret: true },
};
