// Reads the settings of the services for the doctor. Settings that are not set come from the data folder, as
// in `npm start`.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '@counterfoil/kit/process/config';
import { readKeptFile } from '@counterfoil/kit/process/files';
import { service as licensing } from '@counterfoil/licensing-server/operating';
import { service as wallet } from '@counterfoil/wallet-server/operating';
import type { Service } from '../entry/verbs.ts';

export const services = { licensing, wallet };

export type LocalSettings = Awaited<ReturnType<typeof readLocalSettings>>;

/** A placeholder for a database URL that is not known. The doctor never connects to this address. */
const nowhere = 'postgres://127.0.0.1:1/none';

export async function readLocalSettings(env: Environment, dataDir: string) {
  const isGiven = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  const read = (name: string) => readKeptFile(join(dataDir, name)).catch(() => undefined);
  const runtime = parseObject(await read('runtime.json'));
  const added: Record<string, string> = {};
  // The services whose database is the PostgreSQL of `npm start`.
  const ownDatabase: Service[] = [];
  for (const each of Object.values(services)) {
    if (isGiven(each.urlName)) continue;
    ownDatabase.push(each.service);
    added[each.urlName] = String(runtime[each.service] ?? nowhere);
  }
  const key = isGiven('MASTER_KEY') ? undefined : await read('master.key');
  // Whether there is a master key. If none has been created yet, the settings contain a placeholder.
  const hasKey = isGiven('MASTER_KEY') || key !== undefined;
  if (!isGiven('MASTER_KEY')) added.MASTER_KEY = key ?? randomBytes(32).toString('base64');
  const token = isGiven('PROVIDER_API_TOKEN') ? undefined : await read('provider-api.token');
  if (token !== undefined) added.PROVIDER_API_TOKEN = token;
  // Whether the last `npm start` has stored a database URL for every service in the list `ownDatabase`.
  const isOwnKnown = ownDatabase.every((service) => typeof runtime[service] === 'string');
  return { env: { ...env, ...added }, hasKey, ownDatabase, isOwnKnown };
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
