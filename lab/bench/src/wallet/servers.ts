// Starts the servers under measurement, each a separate process, all on one database.
import { fileURLToPath } from 'node:url';
import { productionAddresses } from '@counterfoil/kit/testing/production-addresses';
import { type ChildServer, findBundle, startChildServer } from '../child-server.ts';
import { type Dataset, masterKeyText } from './dataset.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

type ServerName = 'empty' | 'ours' | 'naive' | 'perRequest' | 'plainBatch';
export type Servers = Record<ServerName, ChildServer>;

export const startWallet = (
  dataset: Pick<Dataset, 'url'>,
  more: Record<string, string> = {},
  { execArgv = [], program = findBundle('wallet') }: { execArgv?: readonly string[]; program?: string } = {},
): Promise<ChildServer> =>
  startChildServer({
    execArgv,
    program,
    portName: 'WALLET_PORT',
    env: {
      NODE_ENV: 'production',
      ...productionAddresses,
      LOG_LEVEL: 'warn',
      WALLET_DATABASE_URL: dataset.url,
      MASTER_KEY: masterKeyText,
      ...more,
    },
  });

export async function withServers<T>(dataset: Dataset, work: (servers: Servers) => Promise<T>): Promise<T> {
  const env = {
    NODE_ENV: 'production',
    WALLET_DATABASE_URL: dataset.url,
    PACKAGE_ID: String(dataset.packageId),
  };
  const start = (program: string, more: Record<string, string> = {}) =>
    startChildServer({ program: here(program), portName: 'PORT', env: { ...env, ...more } });
  const started: Partial<Servers> = {};
  try {
    started.empty = await start('rivals/empty-server.js');
    started.ours = await startWallet(dataset);
    started.naive = await start('rivals/naive-server.js');
    started.perRequest = await start('rivals/function-server.js');
    started.plainBatch = await start('rivals/function-server.js', { BATCHES: 'on' });
    return await work(started as Servers);
  } finally {
    for (const server of Object.values(started)) await server.stop();
  }
}
