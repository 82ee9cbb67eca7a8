// The stand-in provider's settings.

import { logLevels } from '@counterfoil/kit/observability/logging';
import { host, httpUrl, oneOf, optionalText, port, text } from '@counterfoil/kit/process/config';

export const providerSettings = {
  HOST: host(),
  PROVIDER_PORT: port(4300),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  /** Folder for registered packages and for callbacks that are not delivered yet. */
  PROVIDER_DATA_DIR: text('./data/provider'),
  /** The base URL of games and pictures. By default it is made from the host and the port. */
  PROVIDER_SITE_URL: httpUrl(),
  PROVIDER_API_TOKEN: { ...optionalText(), secret: true },
  PROVIDER_CONTROL_TOKEN: { ...optionalText(), secret: true },
};
