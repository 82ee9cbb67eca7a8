// Starts licensing as a separate process, and writes the validations that a load generator sends to it.
import { type ChildServer, findBundle, startChildServer } from '../child-server.ts';
import type { LoadRequest } from '../load.ts';
import { type Dataset, masterKeyText } from './dataset.ts';

export const startLicensing = (
  databaseUrl: string,
  more: Record<string, string> = {},
  program = findBundle('licensing'),
): Promise<ChildServer> =>
  startChildServer({
    program,
    portName: 'LICENSING_PORT',
    env: {
      NODE_ENV: 'production',
      LICENSING_DATABASE_URL: databaseUrl,
      LICENSING_PUBLIC_URL: 'http://127.0.0.1:4100',
      MASTER_KEY: masterKeyText,
      LOG_LEVEL: 'warn',
      ...more,
    },
  });

/** One validation of each purchase code of the dataset's sample. */
export const validateCodes = ({ codes, apiKey }: Dataset): LoadRequest[] =>
  codes.map((code) => ({
    method: 'POST',
    path: '/api/purchases/validation',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ purchase_code: code }),
  }));
