// If a client keeps sending after its last answer, the server reads a limited number of bytes and then
// disconnects the client.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { closeLingering } from './lingering-close.ts';

let server: Server;
const opened: Socket[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/**
 * Opens a connection on which the server has sent its last answer and the client can still send. Returns both
 * ends.
 */
async function openAnswered(limits: { bytes: number; ms: number }) {
  server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const sender = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  sender.on('error', () => {});
  const [socket] = await accepted;
  socket.on('error', () => {});
  opened.push(sender, socket);
  closeLingering(socket, limits);
  socket.write('answer');
  socket.destroySoon();
  return { sender, socket, closed: once(socket, 'close') };
}

it('a client that sends more bytes than the limit is disconnected before the time limit', async () => {
  const { sender, socket, closed } = await openAnswered({ bytes: 1000, ms: 600_000 });
  sender.write(Buffer.alloc(1001));
  await closed;
  expect(socket.bytesRead).toBe(1001);
});

it('all bytes up to the limit are read, and the answer arrives', async () => {
  const { sender, socket, closed } = await openAnswered({ bytes: 1000, ms: 600_000 });
  sender.end(Buffer.alloc(1000));
  const [answer] = await once(sender, 'data');
  expect(String(answer)).toBe('answer');
  await closed;
  expect(socket.bytesRead).toBe(1000);
});

it('a client that neither sends nor closes is disconnected after the time limit, not earlier', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sender, socket, closed } = await openAnswered({ bytes: 1000, ms: 50 });
  await once(sender.resume(), 'end');
  vi.advanceTimersByTime(49);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
  await closed;
});
