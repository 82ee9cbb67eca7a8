// The service serves a normal client while hundreds of slow clients are connected.
import { spawn, spawnSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSender, type Sender } from './send.ts';
import { report, size } from './sizes.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

let target: Target;
let sender: Sender;
beforeAll(async () => {
  target = await openWalletTarget();
  sender = openSender(target.port);
});
afterAll(async () => {
  sender.close();
  await target.close();
});

const hello = { method: 'GET', url: '/healthz', headers: {} };

it('the service answers clients during 500 slow requests, and closes the slow connections', async () => {
  target.server.headersTimeout = 1500;
  target.server.requestTimeout = 1500;
  const sockets: Socket[] = [];
  const ended: Promise<void>[] = [];
  for (let i = 0; i < 500; i++) {
    const socket = connect({ host: '127.0.0.1', port: target.port });
    socket.on('error', () => {});
    socket.resume();
    ended.push(new Promise((resolve) => socket.once('close', () => resolve())));
    const isHeader = i % 2 === 0;
    const length = 'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
    socket.write(`POST /panel/session HTTP/1.1\r\nHost: x\r\n${isHeader ? 'X-A: ' : length}`);
    sockets.push(socket);
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 200);
  try {
    for (let i = 0; i < 10; i++) expect((await sender.send(hello)).status).toBe(200);
    await Promise.all(ended);
  } finally {
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
  }
});

const isInstalled = spawnSync('slowhttptest', ['-h']).error === undefined;
const seconds = size(0, 20);

const modes = [
  ['slow headers', ['-H', '-i', '1']],
  ['slow bodies', ['-B', '-i', '1', '-s', '8192']],
  ['slow reading', ['-X', '-w', '1', '-y', '1', '-n', '1', '-z', '1']],
] as const;

it.skipIf(!isInstalled || seconds === 0).each(modes)(
  'the service serves other clients during slowhttptest with %s (only in a full run, if installed)',
  async (title, options) => {
    const url = `http://127.0.0.1:${target.port}/openapi.json`;
    const args = [...options, '-c', '400', '-r', '100', '-l', String(seconds), '-u', url];
    const child = spawn('slowhttptest', args, { stdio: 'ignore' });
    const isOver = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    let over = false;
    void isOver.then(() => {
      over = true;
    });
    let served = 0;
    while (!over) {
      expect((await sender.send(hello)).status).toBe(200);
      served++;
    }
    report(`slowhttptest, ${title}: 400 connections, ${served} normal requests served meanwhile`);
    expect(served).toBeGreaterThan(10);
  },
  120_000,
);
