// The stand-in provider's settings.
import { oneOf, optionalText, port, text } from '@counterfoil/kit/config';
import { logLevels } from '@counterfoil/kit/logging';

export const providerSettings = {
  HOST: text('127.0.0.1'),
  PROVIDER_PORT: port(4300),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  PROVIDER_CONTROL_TOKEN: { ...optionalText(), secret: true },
};
