// The provider as a process: killed in the middle of a bet, it takes the bet back when it returns.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { expect, it, onTestFinished } from 'vitest';
import {
  apiToken,
  ask,
  controlToken,
  makeFolder,
  register,
  sitDown,
  startWallet,
} from './given.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

async function run(port: number, dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PROVIDER_PORT: String(port),
      PROVIDER_DATA_DIR: dataDir,
      PROVIDER_API_TOKEN: apiToken,
      PROVIDER_CONTROL_TOKEN: controlToken,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [hello] = await once(child, 'message');
  expect(hello).toEqual({ ready: true, hello: { control_token: controlToken } });
  return child;
}

it('killed with -9 between a bet and its answer, it rolls the bet back after its next start', async () => {
  const wallet = await startWallet();
  const dataDir = await makeFolder();
  const port = await findFreePort();
  const provider = { url: `http://127.0.0.1:${port}` };
  const first = await run(port, dataDir);
  await register(provider, wallet);
  const player = await sitDown(provider, { game_id: 'harbour-roulette' });
  wallet.manners = ['hang', 'answer'];
  const spin = player.spin({ round: 1, bet_minor: 100, field: 'red' });
  spin.catch(() => {});
  while (wallet.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const gone = once(first, 'exit');
  first.kill('SIGKILL');
  await gone;
  await expect(spin).rejects.toThrow();
  await run(port, dataDir);
  while (wallet.received.length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(wallet.received[1]?.body).toMatchObject({
    action: 'rollback',
    reference_transaction_id: wallet.received[0]?.body.transaction_id,
  });
  expect((await ask(`${provider.url}/healthz`)).status).toBe(200);
});
