// `npm start` as a process: it restarts killed services, stops on signals, and refuses a second start and
// wrong settings.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { prepareStack, type Run, root, runVerb, type StackSettings } from './full-stack.ts';
import {
  expectAllAnswer,
  expectNothingLeft,
  listProcesses,
  readCredentials,
  ready,
  untilServicesAreGone,
} from './running-stack.ts';

let stack: StackSettings;
let run: Run;

beforeAll(async () => {
  stack = await prepareStack();
  run = runVerb(['start'], stack.env);
  await run.until(ready);
});

afterAll(async () => {
  run?.child.kill('SIGKILL');
  await rm(stack.dataDir, { recursive: true, force: true });
});

describe('npm start', () => {
  it('a second npm start on the same data folder is refused, and the first keeps running', async () => {
    // DEADLINE_FACTOR=1 sets the default deadlines, so the second start waits for the data folder as long as
    // in production.
    const second = runVerb(['start'], { ...stack.env, DEADLINE_FACTOR: '1' });
    expect((await second.ended()).code).toBe(1);
    const sentences = second
      .output()
      .split('\n')
      .filter((line) => line.includes('in use'));
    expect(sentences).toHaveLength(1);
    expect(second.output()).not.toContain('    at ');
    await expectAllAnswer(stack);
  });

  it('npm start restarts a service that is killed', async () => {
    const pid = Number(
      execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
        .split('\n')
        .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
        .find(
          (found) => Number(found?.[2]) === run.child.pid && found?.[3]?.includes('services/wallet/server'),
        )?.[1],
    );
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
    await run.until('wallet is back');
    await expectAllAnswer(stack);
  });

  it('npm start restarts a PostgreSQL that is killed, and the services recover', async () => {
    const pidFile = readFileSync(join(stack.dataDir, 'postgres/postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
    await run.until('PostgreSQL is back');
    // Each service connects again automatically after a while.
    await eventually(() => expectAllAnswer(stack));
  });

  it('killing the parent process of the services ends them, and the next start has all data', async () => {
    const before = readCredentials(stack);
    run.child.kill('SIGKILL');
    await run.ended();
    await untilServicesAreGone(stack);
    run = runVerb(['start'], stack.env);
    await run.until(ready);
    expect(readCredentials(stack)).toEqual({ ...before, provider: expect.anything() });
    await expectAllAnswer(stack);
  });

  it('npm start stops everything on SIGTERM and leaves no process', async () => {
    run.child.kill('SIGTERM');
    expect(await run.ended()).toEqual({ code: 0, signal: null });
    await expectNothingLeft(stack);
  });
});

describe('the npm process of `npm start`', () => {
  /** Runs npm in a separate process group and returns its process once the output contains `until`. */
  async function runNpm(until: string): Promise<ChildProcess> {
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: stack.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`no "${until}":\n${output}`)));
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
          if (output.includes(until)) resolve();
        });
      }
    });
    return child;
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'everything stops when npm gets %s, and the next start succeeds',
    async (signal) => {
      const npm = await runNpm(ready);
      npm.kill(signal);
      await untilServicesAreGone(stack);
      run = runVerb(['start'], stack.env);
      await run.until(ready);
      run.child.kill('SIGTERM');
      await run.ended();
    },
  );
});

it('npm start refuses to run without the master key, and prints no stack trace', async () => {
  const file = join(stack.dataDir, 'master.key');
  const key = readFileSync(file);
  await rm(file);
  onTestFinished(() => writeFileSync(file, key, { mode: 0o600 }));
  const refused = runVerb(['start'], stack.env);
  expect((await refused.ended()).code).toBe(1);
  expect(refused.output()).toContain('is missing. Restore it from a backup');
  expect(refused.output()).not.toContain('    at ');
});

it('npm start refuses wrong settings, and lists every wrong setting', async () => {
  const bad = runVerb(['start'], {
    ...stack.env,
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

it('npm start fails if a port is taken, names the port and leaves no process', async () => {
  const blocker = createServer().listen(Number(stack.env.WALLET_PORT), '127.0.0.1');
  await once(blocker, 'listening');
  onTestFinished(() => void blocker.close());
  const blocked = runVerb(['start'], stack.env);
  expect((await blocked.ended()).code).toBe(1);
  expect(blocked.output()).toContain(`Port ${stack.env.WALLET_PORT} on 127.0.0.1 is taken`);
  expect(listProcesses(stack)).toEqual([]);
});
