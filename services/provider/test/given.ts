// A provider for tests with a separate folder and port and short waits, and a player of one of its games.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@counterfoil/kit/http/app';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { expect, onTestFinished, vi } from 'vitest';
import { buildProvider, type ProviderOptions } from '../src/app.ts';
import { aesKey, openTestWallet, type TestWallet } from './test-wallet.ts';

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

/** A provider that several tests share. It runs until it is closed. */
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

/** Prevents the time-outs of requests from expiring. Returns a function that expires the newest time-out. */
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

export async function startWallet(): Promise<TestWallet> {
  const wallet = await openTestWallet();
  onTestFinished(() => wallet.close());
  return wallet;
}

/** Sends a request with a JSON body. */
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

const registrationOf = (wallet: TestWallet) => ({
  callback_url: wallet.url,
  key: 'gpk_test',
  secret: 'gps_test',
  security: wallet.security,
  aes_key: wallet.security === 'headers' ? null : aesKey,
  currency: 'EUR',
  active: true,
});

export async function register(provider: { url: string }, wallet: TestWallet, fields = {}) {
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

/** Launches a game and returns its one-time address. */
export const launchGame = async (provider: { url: string }, fields = {}): Promise<string> =>
  ((await launch(provider, fields)).body as { launch_url: string }).launch_url;

export interface Player {
  readonly gameUrl: string;
  readonly cookie: string;
  spin(order: object): Promise<{ status: number; body: never }>;
  state(): Promise<{ status: number; body: never }>;
}

/** Launches a game and opens its page as a browser does. */
export async function openPlayer(provider: { url: string }, fields = {}): Promise<Player> {
  const gameUrl = await launchGame(provider, fields);
  const page = await fetch(gameUrl);
  if (page.status !== 200) throw new Error(`the page answered ${page.status}`);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return {
    gameUrl,
    cookie,
    spin: (order) => ask(`${gameUrl}/api/spin`, { headers: { cookie }, body: order }),
    state: () => ask(`${gameUrl}/api/state`, { headers: { cookie } }),
  };
}

export const control = (provider: { url: string }, path: string, body?: object, method = 'PUT') =>
  ask(`${provider.url}/control/${path}`, {
    headers: bearer(controlToken),
    ...(body && { body, method }),
  });

/** A wallet, a provider and a player at a roulette table. */
export async function givenPlayer(options: Partial<ProviderOptions> = {}, fields = {}) {
  const wallet = await startWallet();
  const provider = await startProvider(options);
  await register(provider, wallet);
  const player = await openPlayer(provider, { game_id: 'harbour-roulette', ...fields });
  return { wallet, provider, player };
}

/** Makes roulette draw this number. */
export const drawing = (number: number) => ({ draw: () => number });

export const onRed = { round: 1, bet_minor: 100, field: 'red' };

export const until = (holds: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await holds()).toBe(true));

/** Waits until the provider has no callback left to deliver. */
export const settled = (provider: { url: string }) =>
  until(async () => {
    const { body } = await control(provider, 'deliveries');
    return (body as { pending: unknown[] }).pending.length === 0;
  });
