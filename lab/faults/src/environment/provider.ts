// Runs the stand-in provider as a process, and controls the faults that it causes.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareService, type Service } from './service.ts';
import type { TestEnvironment } from './test-environment.ts';

const providerMain = fileURLToPath(new URL('../../../../services/provider/dist/main.js', import.meta.url));
const apiToken = 'faults-provider-api-token';
const controlToken = 'faults-provider-control-token';

export interface ProviderProcess {
  readonly process: Service;
  /** The settings of a wallet that uses this provider. */
  readonly env: Readonly<Record<string, string>>;
  /** Turns these faults on and all others off. */
  order(faults: Readonly<Record<string, unknown>>): Promise<void>;
  /** Makes the provider send one body many times; returns the number of answers by kind. */
  flood(uid: string, body: object, count: number): Promise<Record<string, number>>;
  /** Returns the number of the package's callbacks that have no answer yet. */
  countPending(uid: string): Promise<number>;
}

interface ControlAnswer {
  readonly answers?: Record<string, number>;
  readonly pending?: readonly { readonly uid: string }[];
}

export async function startProvider(environment: TestEnvironment): Promise<ProviderProcess> {
  const process = await prepareService({
    databaseUrl: '',
    masterKey: '',
    program: providerMain,
  });
  const env = {
    PROVIDER_PORT: String(process.port),
    PROVIDER_DATA_DIR: join(environment.folder, 'provider'),
    PROVIDER_API_TOKEN: apiToken,
    PROVIDER_CONTROL_TOKEN: controlToken,
  };
  environment.onClose(async () => void (await process.end()));
  await process.start({ env });
  const control = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${process.url}/control/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`the provider answered ${answer.status} to ${path}`);
    return answer.json() as Promise<ControlAnswer>;
  };
  return {
    process,
    env: {
      PROVIDER_PRIVATE_URL: `${process.url}/private`,
      PROVIDER_PUBLIC_URL: `${process.url}/public`,
      PROVIDER_API_TOKEN: apiToken,
    },
    order: async (faults) => void (await control('PUT', 'faults', faults)),
    flood: async (uid, body, count) =>
      (await control('POST', 'storms', { uid, body, count, parallel: 64 })).answers ?? {},
    countPending: async (uid) => {
      const { pending = [] } = await control('GET', 'deliveries');
      return pending.filter((each) => each.uid === uid).length;
    },
  };
}
