// `npm start` for real: it runs everything, refuses a second start, and survives every kill.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '@counterfoil/kit/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStartSettings } from '../src/settings.ts';
import { type HouseSettings, prepareHouse, type Run, root, runVerb } from './house.ts';

interface Credentials {
  licensing: { base_url: string; workspaces: { api_key: string; name: string }[] };
  wallet: {
    base_url: string;
    packages: { uid: string; api_key: string; api_secret: string; state: string }[];
  };
  provider: { base_url: string; control_token: string };
}

let house: HouseSettings;
let run: Run;

const ready = 'Counterfoil is running';

function readCredentials(): Credentials {
  return JSON.parse(readFileSync(join(house.dataDir, 'credentials.json'), 'utf8'));
}

/** PostgreSQL names its folder on its command line; the services are known by their ports. */
function listProcesses(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(house.dataDir));
}

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function expectAllAnswer(): Promise<void> {
  const credentials = readCredentials();
  const workspace = credentials.licensing.workspaces[0];
  const account = await fetch(`${house.licensing}/api/account/details`, {
    headers: { 'x-api-key': workspace?.api_key ?? '' },
  });
  expect(await account.json()).toMatchObject({
    status: 'success',
    data: { username: 'paperlane' },
  });
  const customer = credentials.wallet.packages[0];
  const balance = await fetch(`${house.wallet}/api/v1/user/balance?player_id=player-1`, {
    headers: {
      'x-uid': customer?.uid ?? '',
      'x-api-key': customer?.api_key ?? '',
      'x-api-secret': customer?.api_secret ?? '',
    },
  });
  expect(await balance.json()).toMatchObject({
    data: { balance: 379.57 },
    package_balance: 1_000_000_000,
  });
  for (const url of [house.licensing, house.wallet, house.provider])
    expect(await isUp(url)).toBe(true);
  for (const url of [house.licensing, house.wallet]) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(
      ((await (await fetch(`${url}/openapi.json`)).json()) as { openapi: string }).openapi,
    ).toBe('3.1.0');
    expect((await fetch(`${url}/docs`)).headers.get('content-type')).toContain('text/html');
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('http_request_duration_seconds');
  }
}

beforeAll(async () => {
  house = await prepareHouse();
});

afterAll(async () => {
  run?.child.kill('SIGKILL');
  await rm(house.dataDir, { recursive: true, force: true });
});

describe('npm start', () => {
  it('before it, the credentials command says so and fails', async () => {
    const early = runVerb(['credentials'], house.env);
    expect((await early.ended()).code).toBe(1);
    expect(early.output()).toContain('run npm start once');
  });

  it('runs everything and prints addresses and credentials', async () => {
    run = runVerb(['start'], { ...house.env, DATABASE_CONNECTIONS: '40' });
    await run.until(ready);
    await expectAllAnswer();
    expect(run.output()).toContain(house.licensing);
    expect(run.output()).toContain(readCredentials().licensing.workspaces[0]?.api_key);
  }, 60_000);

  it('its database takes every connection that the services may open', async () => {
    const { wallet } = JSON.parse(readFileSync(join(house.dataDir, 'runtime.json'), 'utf8'));
    const db = openDb({ url: wallet, applicationName: 'start test' });
    const { rows } = await db.query(`select current_setting('max_connections')::int as max`);
    await db.end();
    expect(rows).toEqual([{ max: 2 * (40 + 10) + 40 }]);
    const four = readStartSettings({}, ['--processes', '4']);
    expect(four.maxConnections).toBeGreaterThan(4 * (16 + 12) + 4 * 2);
    expect(readStartSettings({}, []).maxConnections).toBe(100);
  });

  it('keeps the credentials in a private file, which the credentials command prints as JSON', async () => {
    expect(statSync(join(house.dataDir, 'credentials.json')).mode & 0o777).toBe(0o600);
    for (const file of ['master.key', 'provider-api.token', 'provider-control.token']) {
      expect(statSync(join(house.dataDir, file)).mode & 0o777).toBe(0o600);
    }
    const printed = runVerb(['credentials'], house.env);
    expect((await printed.ended()).code).toBe(0);
    expect(JSON.parse(printed.output())).toEqual(readCredentials());
    const states = readCredentials().wallet.packages.map((each) => each.state);
    expect(states).toEqual([
      'approved',
      'approved',
      'approved',
      'pending',
      'suspended',
      'approved',
      'approved',
    ]);
  });

  it('wallet and provider share a token that nobody is shown, and the control token opens', async () => {
    const { provider, wallet } = readCredentials();
    const apiToken = readFileSync(join(house.dataDir, 'provider-api.token'), 'utf8').trim();
    expect(Object.keys(provider)).toEqual(['base_url', 'control_token']);
    expect(JSON.stringify(readCredentials()) + run.output()).not.toContain(apiToken);
    const faults = await fetch(`${house.provider}/control/faults`, {
      headers: { authorization: `Bearer ${provider.control_token}` },
    });
    expect(faults.status).toBe(200);
    const customer = wallet.packages[0];
    const list = await fetch(`${house.wallet}/api/v1/game/list`, {
      headers: {
        'x-uid': customer?.uid ?? '',
        'x-api-key': customer?.api_key ?? '',
        'x-api-secret': customer?.api_secret ?? '',
      },
    });
    expect(await list.json()).toMatchObject({ data: { source: 'private', total: 200 } });
  });

  it('a second start on the same folder is refused in one sentence, and the first lives on', async () => {
    const second = runVerb(['start'], house.env);
    expect((await second.ended()).code).toBe(1);
    const sentences = second
      .output()
      .split('\n')
      .filter((line) => line.includes('in use'));
    expect(sentences).toHaveLength(1);
    expect(second.output()).not.toContain('    at ');
    await expectAllAnswer();
  });

  it('a service that is killed comes back by itself', async () => {
    const pid = Number(
      execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
        .split('\n')
        .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
        .find(
          (found) => Number(found?.[2]) === run.child.pid && found?.[3]?.includes('wallet/server'),
        )?.[1],
    );
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
    await run.until('wallet is back');
    await expectAllAnswer();
  });

  it('a PostgreSQL that is killed comes back by itself, and the services with it', async () => {
    const pidFile = readFileSync(join(house.dataDir, 'postgres/postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
    await run.until('PostgreSQL is back');
    await expectAllAnswer();
  });

  it('kill -9 of the parent takes the services with it; the next start recovers with its data', async () => {
    const before = readCredentials();
    run.child.kill('SIGKILL');
    await run.ended();
    run = runVerb(['start'], house.env);
    await run.until(ready);
    expect(readCredentials()).toEqual({ ...before, provider: expect.anything() });
    await expectAllAnswer();
  }, 60_000);

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s stops all of it and leaves no process',
    async (signal) => {
      if (run.child.exitCode !== null) {
        run = runVerb(['start'], house.env);
        await run.until(ready);
      }
      run.child.kill(signal);
      expect(await run.ended()).toEqual({ code: 0, signal: null });
      for (const url of [house.licensing, house.wallet, house.provider])
        expect(await isUp(url)).toBe(false);
      expect(listProcesses()).toEqual([]);
    },
    60_000,
  );
});

describe('npm itself', () => {
  /** Runs npm in a group of its own and gives back npm's own process. */
  async function runNpm(args: string[], env: NodeJS.ProcessEnv, until: string) {
    const child = spawn('npm', args, {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    for (let waitedMs = 0; !output.includes(until) && waitedMs < 40_000; waitedMs += 50)
      await sleep(50);
    expect(output).toContain(until);
    return child;
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    '%s to npm alone stops all of it, and the next start runs',
    async (signal) => {
      const npm = await runNpm(['start'], house.env, ready);
      npm.kill(signal);
      for (let waitedMs = 0; (await isUp(house.wallet)) && waitedMs < 10_000; waitedMs += 100)
        await sleep(100);
      expect(await isUp(house.wallet)).toBe(false);
      run = runVerb(['start'], house.env);
      await run.until(ready);
      run.child.kill('SIGTERM');
      await run.ended();
    },
    90_000,
  );
});

describe('the master key', () => {
  it('is never replaced: a missing one is refused in one sentence', async () => {
    const file = join(house.dataDir, 'master.key');
    const key = readFileSync(file);
    await rm(file);
    const refused = runVerb(['start'], house.env);
    expect((await refused.ended()).code).toBe(1);
    expect(refused.output()).toContain('is gone, and with it every sealed secret');
    expect(refused.output()).not.toContain('    at ');
    writeFileSync(file, key, { mode: 0o600 });
  }, 60_000);
});

describe('settings', () => {
  it('a bad setting stops the start with the whole list of what is wrong', async () => {
    const bad = runVerb(['start'], {
      ...house.env,
      LICENSING_PORT: 'eighty',
      WALLET_DATABASE_URL: 'mysql://x',
      TRUST_PROXY: 'everyone',
      MASTER_KEY: 'short',
    });
    expect((await bad.ended()).code).toBe(1);
    for (const name of ['LICENSING_PORT', 'WALLET_DATABASE_URL', 'TRUST_PROXY', 'MASTER_KEY']) {
      expect(bad.output()).toContain(`- ${name} must be`);
    }
    expect(bad.output()).not.toContain('    at ');
  });

  it('a port that is taken is said in one sentence, and nothing is left running', async () => {
    const blocker = (await import('node:net'))
      .createServer()
      .listen(Number(house.env.WALLET_PORT), '127.0.0.1');
    const blocked = runVerb(['start'], house.env);
    expect((await blocked.ended()).code).toBe(1);
    expect(blocked.output()).toContain(`Port ${house.env.WALLET_PORT} on 127.0.0.1 is taken`);
    expect(listProcesses()).toEqual([]);
    blocker.close();
  }, 60_000);
});
