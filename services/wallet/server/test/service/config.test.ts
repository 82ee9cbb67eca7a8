// The settings of the wallet service in production.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readWalletConfig } from '../../src/config.ts';

const production = {
  NODE_ENV: 'production',
  WALLET_DATABASE_URL: 'postgres://127.0.0.1/wallet',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const addresses = {
  WALLET_PUBLIC_URL: 'https://wallet.example',
  PROVIDER_PRIVATE_URL: 'https://provider.example/private',
  PROVIDER_PUBLIC_URL: 'https://provider.example/public',
  PROVIDER_API_TOKEN: 'provider-token',
};

it("a service in production needs its URLs and the provider's token, and lists the missing settings", () => {
  const lines = Object.keys(addresses).map((name) => `  - ${name} is required when NODE_ENV is production`);
  expect(() => readWalletConfig(production)).toThrow(`Settings are wrong:\n${lines.join('\n')}`);
});

it.each(Object.keys(addresses))('a service in production does not start without %s', (name) => {
  const env = { ...production, ...addresses, [name]: '' };
  expect(() => readWalletConfig(env)).toThrow(`${name} is required when NODE_ENV is production`);
});

it('the service uses the URLs from its settings', () => {
  const { publicUrl, upstream } = readWalletConfig({ ...production, ...addresses });
  expect([publicUrl, upstream.privateUrl]).toEqual([
    addresses.WALLET_PUBLIC_URL,
    addresses.PROVIDER_PRIVATE_URL,
  ]);
});

it('commands, and services outside production, need no URLs', () => {
  expect(() => readWalletConfig(production, 'command')).not.toThrow();
  expect(() => readWalletConfig({ ...production, NODE_ENV: 'development' })).not.toThrow();
});

it('GAME_SESSION_MINUTES can be 1 to 10080, and is 240 by default', () => {
  const read = (GAME_SESSION_MINUTES?: string) =>
    readWalletConfig({
      ...production,
      ...addresses,
      ...(GAME_SESSION_MINUTES && { GAME_SESSION_MINUTES }),
    });
  expect(read().gameSessionMs).toBe(240 * 60_000);
  expect(read('1').gameSessionMs).toBe(60_000);
  expect(() => read('0')).toThrow('GAME_SESSION_MINUTES must be a whole number from 1 to 10080');
});

it('PLAYERS_IN_MEMORY can be 1,000 to 20,000,000, and is 1,200,000 by default', () => {
  const read = (more: object) => readWalletConfig({ ...production, ...addresses, ...more });
  expect(read({}).maxPlayersInMemory).toBe(1_200_000);
  expect(read({ PLAYERS_IN_MEMORY: '1000' }).maxPlayersInMemory).toBe(1000);
  expect(() => read({ PLAYERS_IN_MEMORY: '999' })).toThrow('a whole number from 1000 to 20000000');
});

it('SOCKET_FAST_PATH is on by default, and can be turned off', () => {
  const read = (more: object) => readWalletConfig({ ...production, ...addresses, ...more });
  expect(read({}).servesFromSockets).toBe(true);
  expect(read({ SOCKET_FAST_PATH: 'off' }).servesFromSockets).toBe(false);
  expect(() => read({ SOCKET_FAST_PATH: 'no' })).toThrow('SOCKET_FAST_PATH');
});

it('LEDGER_HANDOVER is on by default, and can be turned off', () => {
  const read = (more: object) => readWalletConfig({ ...production, ...addresses, ...more });
  expect(read({}).handsOrdersOver).toBe(true);
  expect(read({ LEDGER_HANDOVER: 'off' }).handsOrdersOver).toBe(false);
  expect(() => read({ LEDGER_HANDOVER: 'no' })).toThrow('LEDGER_HANDOVER');
});

it('WALLET_PROCESS_PORT is the port of process 1, and the next processes use the next ports', () => {
  const read = (more: object) => readWalletConfig({ ...production, ...addresses, ...more }).processPort;
  expect(read({})).toBeUndefined();
  expect(read({ WALLET_PROCESS_PORT: '4211' })).toBe(4211);
  expect(read({ WALLET_PROCESS_PORT: '4211', PROCESS_NUMBER: '3' })).toBe(4213);
  expect(() => read({ WALLET_PROCESS_PORT: '65473' })).toThrow('WALLET_PROCESS_PORT');
});

it('no process may have the port that all processes share', () => {
  const read = (WALLET_PROCESS_PORT: string, more: object = {}) =>
    readWalletConfig({
      ...production,
      ...addresses,
      PROCESSES: '2',
      WALLET_PORT: '4200',
      WALLET_PROCESS_PORT,
      ...more,
    });
  expect(() => read('4198')).not.toThrow();
  expect(() => read('4199')).toThrow('must not give a process the port 4200, which is WALLET_PORT');
  expect(() => read('4200')).toThrow('The processes use the ports 4200 to 4201');
  expect(() => read('4201')).not.toThrow();
  // The command line had `--processes 3`.
  expect(() => read('4198', { PROCESS_COUNT: '3' })).toThrow('The processes use the ports 4198 to 4200');
});

it('the ports are checked with the number of processes from the command line, even if it is 1', () => {
  const env = { PATH: process.env.PATH, PROCESSES: '4', WALLET_PORT: '4200', WALLET_PROCESS_PORT: '4198' };
  const start = (count: string) => {
    const args = ['services/wallet/server/dist/bundle/main.js', '--processes', count];
    return String(spawnSync(process.execPath, args, { env: { ...env, WALLET_DATABASE_URL: 'none' } }).stderr);
  };
  const wrongDatabase = 'WALLET_DATABASE_URL must be an address';
  const one = start('1');
  expect(one).toContain(wrongDatabase);
  expect(one).not.toContain('WALLET_PROCESS_PORT');
  const three = start('3');
  expect(three).toContain(wrongDatabase);
  expect(three).toContain('WALLET_PROCESS_PORT must not give a process the port 4200');
});

it('a command, which opens no port, does not check the ports of the processes', () => {
  const env = { ...production, ...addresses, WALLET_PORT: '4200', WALLET_PROCESS_PORT: '4200' };
  expect(() => readWalletConfig(env, 'command')).not.toThrow();
});
