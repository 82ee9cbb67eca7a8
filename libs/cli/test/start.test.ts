// `npm start` as a process: it runs everything and stops on Ctrl-C.
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '@counterfoil/kit/postgres/db';
import { ConfigError } from '@counterfoil/kit/process/config';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureMasterKeyFile } from '../src/private-files.ts';
import { readStartSettings } from '../src/settings.ts';
import { prepareStack, type Run, runVerb, type StackSettings } from './full-stack.ts';
import {
  expectAllAnswer,
  expectNothingLeft,
  readCredentials,
  ready,
  walletHeaders,
} from './running-stack.ts';

let stack: StackSettings;
let run: Run;

beforeAll(async () => {
  stack = await prepareStack();
});

afterAll(async () => {
  run?.child.kill('SIGKILL');
  await rm(stack.dataDir, { recursive: true, force: true });
});

describe('npm start', () => {
  it('`credentials` fails before the first npm start, and says that npm start must run once', async () => {
    const early = runVerb(['credentials'], stack.env);
    expect((await early.ended()).code).toBe(1);
    expect(early.output()).toContain('run npm start once');
  });

  it('npm start runs everything and prints URLs and credentials', async () => {
    run = runVerb(['start'], { ...stack.env, DATABASE_CONNECTIONS: '40' });
    await run.until(ready);
    await expectAllAnswer(stack);
    for (const url of [stack.licensing, stack.wallet, stack.provider]) expect(run.output()).toContain(url);
    expect(run.output()).toContain(readCredentials(stack).licensing.workspaces[0]?.api_key);
  });

  it('npm start starts a database that allows all connections that the services may open', async () => {
    const { wallet } = JSON.parse(readFileSync(join(stack.dataDir, 'runtime.json'), 'utf8'));
    const db = openDb({ url: wallet, applicationName: 'start test' });
    const { rows } = await db.query(`select current_setting('max_connections')::int as max`);
    await db.end();
    expect(rows).toEqual([{ max: 2 * (40 + 10) + 40 }]);
    const four = readStartSettings({}, ['--processes', '4']);
    expect(four.maxConnections).toBeGreaterThan(4 * (16 + 12) + 4 * 2);
    expect(readStartSettings({}, []).maxConnections).toBe(100);
  });

  it('npm start stores the credentials in a private file, which `credentials` prints as JSON', async () => {
    expect(statSync(join(stack.dataDir, 'credentials.json')).mode & 0o777).toBe(0o600);
    for (const file of ['master.key', 'provider-api.token', 'provider-control.token']) {
      expect(statSync(join(stack.dataDir, file)).mode & 0o777).toBe(0o600);
    }
    const printed = runVerb(['credentials'], stack.env);
    expect((await printed.ended()).code).toBe(0);
    expect(JSON.parse(printed.output())).toEqual(readCredentials(stack));
    const states = readCredentials(stack).wallet.packages.map((each) => each.state);
    expect(states).toEqual([
      'approved',
      'approved',
      'approved',
      'pending',
      'suspended',
      'approved',
      'approved',
      'approved',
    ]);
  });

  it('npm start creates one connection per dialect, and passes them to the stand-in provider', async () => {
    const { wallet, provider } = readCredentials(stack);
    const { connections, packages } = wallet;
    expect(connections.map(({ dialect, package_uid: uid }) => [dialect, uid])).toEqual([
      ['softswiss', packages[0]?.uid],
      ['slotegrator', packages[0]?.uid],
      ['valkyrie', packages.at(-1)?.uid],
      ['hub88', packages.at(-1)?.uid],
    ]);
    for (const { id, url } of connections) expect(url).toBe(`${stack.wallet}/providers/${id}`);
    const answer = await fetch(`${stack.provider}/control/connections`, {
      headers: { authorization: `Bearer ${provider.control_token}` },
    });
    const known = (await answer.json()) as { connections: { id: string }[] };
    expect(known.connections.map(({ id }) => id)).toEqual(connections.map(({ id }) => id));
    expect(JSON.stringify(known)).not.toContain('PRIVATE KEY');
  });

  it('the control token is in the credentials; the API token is not, and is never printed', async () => {
    const { provider } = readCredentials(stack);
    const apiToken = readFileSync(join(stack.dataDir, 'provider-api.token'), 'utf8').trim();
    expect(Object.keys(provider)).toEqual(['base_url', 'control_token']);
    expect(JSON.stringify(readCredentials(stack)) + run.output()).not.toContain(apiToken);
    const faults = await fetch(`${stack.provider}/control/faults`, {
      headers: { authorization: `Bearer ${provider.control_token}` },
    });
    expect(faults.status).toBe(200);
    const list = await fetch(`${stack.wallet}/api/v1/game/list`, { headers: walletHeaders(stack) });
    expect(await list.json()).toMatchObject({ data: { source: 'private', total: 200 } });
  });

  it('npm start stops everything on Ctrl-C and leaves no process', async () => {
    run.child.kill('SIGINT');
    expect(await run.ended()).toEqual({ code: 0, signal: null });
    await expectNothingLeft(stack);
  });
});

it('an existing master key is kept, and a lost master key is not replaced', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-key-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const file = await ensureMasterKeyFile(dataDir);
  const key = readFileSync(file, 'utf8');
  await ensureMasterKeyFile(dataDir);
  expect(readFileSync(file, 'utf8')).toBe(key);
  await writeFile(join(dataDir, 'credentials.json'), '{}');
  await rm(file);
  await expect(ensureMasterKeyFile(dataDir)).rejects.toThrow('is missing. Restore it from a backup');
});

it('npm start refuses wrong settings, and lists every wrong setting', () => {
  const read = () =>
    readStartSettings(
      {
        LICENSING_PORT: 'eighty',
        WALLET_DATABASE_URL: 'mysql://x',
        TRUST_PROXY: 'everyone',
        MASTER_KEY: 'short',
      },
      [],
    );
  expect(read).toThrow(ConfigError);
  for (const name of ['LICENSING_PORT', 'WALLET_DATABASE_URL', 'TRUST_PROXY', 'MASTER_KEY']) {
    expect(read).toThrow(`- ${name} must be`);
  }
});
