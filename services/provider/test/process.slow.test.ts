// The provider as a process: after a kill in the middle of a bet, it rolls the bet back.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { expect, it, onTestFinished } from 'vitest';
import { apiToken, ask, controlToken, makeFolder, openPlayer, register, startWallet } from './given.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function launch(port: number, dataDir: string, stderr: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PROVIDER_PORT: String(port),
      PROVIDER_DATA_DIR: dataDir,
      PROVIDER_API_TOKEN: apiToken,
      PROVIDER_CONTROL_TOKEN: controlToken,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function run(port: number, dataDir: string): Promise<ChildProcess> {
  const child = launch(port, dataDir, 'inherit');
  const [hello] = await once(child, 'message');
  expect(hello).toEqual({ ready: true, hello: { control_token: controlToken } });
  return child;
}

it('a bet is rolled back if the process is killed before the answer to the bet arrives', async () => {
  const wallet = await startWallet();
  const dataDir = await makeFolder();
  const port = await findFreePort();
  const provider = { url: `http://127.0.0.1:${port}` };
  const first = await run(port, dataDir);
  await register(provider, wallet);
  const player = await openPlayer(provider, { game_id: 'harbour-roulette' });
  wallet.behaviours = ['hang', 'answer'];
  const spin = player.spin({ round: 1, bet_minor: 100, field: 'red' });
  spin.catch(() => {});
  await eventually(() => expect(wallet.received).toHaveLength(1));
  const gone = once(first, 'exit');
  first.kill('SIGKILL');
  await gone;
  await expect(spin).rejects.toThrow();
  await run(port, dataDir);
  await eventually(() => expect(wallet.received.length).toBeGreaterThan(1));
  expect(wallet.received[1]?.body).toMatchObject({
    action: 'rollback',
    reference_transaction_id: wallet.received[0]?.body.transaction_id,
  });
  expect((await ask(`${provider.url}/healthz`)).status).toBe(200);
});

it('the process reports in one sentence that its port is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const child = launch(port, await makeFolder(), 'pipe');
  const said = child.stderr?.toArray();
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(String(await said)).toBe(
    `Port ${port} on 127.0.0.1 is taken by another program; stop it or set another port.\n`,
  );
});
