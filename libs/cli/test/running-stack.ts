// Checks of a running `npm start`, and of the state after it has ended.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import type { StackSettings } from './full-stack.ts';

export interface Credentials {
  licensing: { base_url: string; workspaces: { api_key: string; name: string }[] };
  wallet: {
    base_url: string;
    packages: { uid: string; api_key: string; api_secret: string; state: string }[];
    connections: { id: string; package_uid: string; dialect: string; url: string }[];
  };
  provider: { base_url: string; control_token: string };
}

/** The start of the line that is printed when all services answer. */
export const ready = 'Counterfoil is running';

export const readCredentials = (stack: StackSettings): Credentials =>
  JSON.parse(readFileSync(join(stack.dataDir, 'credentials.json'), 'utf8'));

/**
 * Lists the processes whose command line contains the data folder. These are processes of PostgreSQL. Tests
 * find the services by their ports.
 */
export function listProcesses(stack: StackSettings): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(stack.dataDir));
}

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

const addressesOf = (stack: StackSettings) => [stack.licensing, stack.wallet, stack.provider];

/** Resolves when no service answers any more. */
export async function untilServicesAreGone(stack: StackSettings): Promise<void> {
  for (const url of addressesOf(stack)) {
    await eventually(async () => expect(await isUp(url)).toBe(false));
  }
}

export async function expectNothingLeft(stack: StackSettings): Promise<void> {
  for (const url of addressesOf(stack)) expect(await isUp(url)).toBe(false);
  expect(listProcesses(stack)).toEqual([]);
}

export const walletHeaders = (stack: StackSettings): Record<string, string> => {
  const customer = readCredentials(stack).wallet.packages[0];
  return {
    'x-uid': customer?.uid ?? '',
    'x-api-key': customer?.api_key ?? '',
    'x-api-secret': customer?.api_secret ?? '',
  };
};

export async function expectAllAnswer(stack: StackSettings): Promise<void> {
  const workspace = readCredentials(stack).licensing.workspaces[0];
  const account = await fetch(`${stack.licensing}/api/account/details`, {
    headers: { 'x-api-key': workspace?.api_key ?? '' },
  });
  expect(await account.json()).toMatchObject({
    status: 'success',
    data: { username: 'paperlane' },
  });
  const balance = await fetch(`${stack.wallet}/api/v1/user/balance?player_id=player-1`, {
    headers: walletHeaders(stack),
  });
  expect(await balance.json()).toMatchObject({
    data: { balance: 379.57 },
    package_balance: 1_000_000_000,
  });
  for (const url of addressesOf(stack)) expect(await isUp(url)).toBe(true);
  for (const url of [stack.licensing, stack.wallet]) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(((await (await fetch(`${url}/openapi.json`)).json()) as { openapi: string }).openapi).toBe(
      '3.1.0',
    );
    expect((await fetch(`${url}/docs`)).headers.get('content-type')).toContain('text/html');
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('http_request_duration_seconds');
  }
}
