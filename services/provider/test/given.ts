// A running provider for tests: its own folder and port, quick waits, and a player who sits down.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@counterfoil/kit/http/app';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { onTestFinished, vi } from 'vitest';
import { buildProvider, type ProviderOptions } from '../src/app.ts';
import { aesKey, type Counterpart, startCounterpart } from './wallet-counterpart.ts';

export const apiToken = 'api-token-of-the-tests';
export const controlToken = 'control-token-of-the-tests';
export const uid = 'UID_test';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-provider-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Provider {
  readonly app: App;
  readonly url: string;
  readonly dataDir: string;
}

export async function startProvider(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  const dataDir = options.dataDir ?? (await makeFolder());
  const provider = await openProvider({ ...options, dataDir });
  onTestFinished(() => provider.close());
  return provider;
}

/** Runs until it is closed: for tests that share one. */
export async function openProvider(
  options: Partial<ProviderOptions> & { dataDir: string },
): Promise<Provider & { close(): Promise<void> }> {
  const { dataDir } = options;
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const app = await buildProvider({
    logger: createLogger({ service: 'provider', level: 'silent' }),
    siteUrl: url,
    apiToken,
    controlToken,
    waitsMs: [1, 2, 4],
    attemptTimeoutMs: 600_000,
    firstBackgroundWaitMs: 5,
    ...options,
  });
  await app.listen({ host: '127.0.0.1', port });
  const close = async () => {
    app.server.closeAllConnections();
    await app.close();
  };
  return { app, url, dataDir, close };
}

/** Time-outs that come when the test says so: gives back what ends the one that began last. */
export function holdTimeouts(): () => void {
  const begun: AbortController[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    begun.push(controller);
    return controller.signal;
  });
  onTestFinished(() => void spy.mockRestore());
  return () => begun.at(-1)?.abort(new DOMException('The time is up', 'TimeoutError'));
}

export async function startWallet(): Promise<Counterpart> {
  const wallet = await startCounterpart();
  onTestFinished(() => wallet.close());
  return wallet;
}

/** A request with a JSON body, and its answer. */
export async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<{ status: number; headers: Headers; body: never }> {
  const { body, headers, method = body === undefined ? 'GET' : 'POST' } = options;
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return {
    status: answer.status,
    headers: answer.headers,
    body: (isJson ? JSON.parse(text) : text) as never,
  };
}

const registrationOf = (wallet: Counterpart) => ({
  callback_url: wallet.url,
  key: 'gpk_test',
  secret: 'gps_test',
  security: wallet.security,
  aes_key: wallet.security === 'headers' ? null : aesKey,
  currency: 'EUR',
  active: true,
});

export async function register(provider: { url: string }, wallet: Counterpart, fields = {}) {
  return ask(`${provider.url}/private/v1/packages/${uid}`, {
    method: 'PUT',
    headers: bearer(apiToken),
    body: { ...registrationOf(wallet), ...fields },
  });
}

export const launchBody = (fields = {}) => ({
  package: uid,
  player_id: 'p-1',
  session_id: 'gs_1',
  game_id: 'moon-harvest',
  mode: 'real',
  currency: 'EUR',
  decimals: 2,
  language: 'en',
  platform: 'desktop',
  return_url: 'https://casino.example/back',
  session_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  ...fields,
});

export const launch = (provider: { url: string }, fields = {}) =>
  ask(`${provider.url}/private/v1/launches`, {
    headers: bearer(apiToken),
    body: launchBody(fields),
  });

export interface Player {
  readonly place: string;
  readonly cookie: string;
  spin(order: object): Promise<{ status: number; body: never }>;
  state(): Promise<{ status: number; body: never }>;
}

/** Launches a game and opens its page as a browser would. */
export async function sitDown(provider: { url: string }, fields = {}): Promise<Player> {
  const launched = await launch(provider, fields);
  const { launch_url: place } = launched.body as { launch_url: string };
  const page = await fetch(place);
  if (page.status !== 200) throw new Error(`the page answered ${page.status}`);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return {
    place,
    cookie,
    spin: (order) => ask(`${place}/api/spin`, { headers: { cookie }, body: order }),
    state: () => ask(`${place}/api/state`, { headers: { cookie } }),
  };
}

export const control = (provider: { url: string }, path: string, body?: object, method = 'PUT') =>
  ask(`${provider.url}/control/${path}`, {
    headers: bearer(controlToken),
    ...(body && { body, method }),
  });
