// The stand-in provider's settings.
import { host, oneOf, optionalText, port } from '@counterfoil/kit/config';
import { logLevels } from '@counterfoil/kit/logging';

export const providerSettings = {
  HOST: host(),
  PROVIDER_PORT: port(4300),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  PROVIDER_CONTROL_TOKEN: { ...optionalText(), secret: true },
};
