// Connections through the port of a process are served like those of the HTTP server's own port.
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../testing/free-port.ts';
import { openProcessPort } from './process-port.ts';

const host = '127.0.0.1';

async function open(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, host);
  await once(server, 'listening');
  const port = await findFreePort();
  const processPort = await openProcessPort(server, { host, port });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { server, port, processPort, agent };
}

async function read(options: { port: number; agent: Agent }): Promise<string> {
  const [answer] = (await once(get({ host, ...options }), 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of answer) text += part;
  return text;
}

it('`has` distinguishes connections through the port from those through the shared port', async () => {
  const seen: boolean[] = [];
  const { server, port, agent, processPort } = await open((request, response) => {
    seen.push(processPort.has(request.socket));
    response.end('served');
  });
  expect(await read({ port, agent })).toBe('served');
  expect(await read({ port: (server.address() as AddressInfo).port, agent })).toBe('served');
  expect(seen).toEqual([true, false]);
});

it('the HTTP server handles a request that is no HTTP', async () => {
  const { server, port } = await open(() => {});
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\nours'));
  const socket = connect({ host, port });
  socket.write('nonsense\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('ours');
});

it('the port closes after the last answer, and closes idle connections', async () => {
  let respond = () => {};
  const { port, agent, server, processPort } = await open((request, response) => {
    respond = () => void response.end('last');
    if (request.url === '/idle') respond();
  });
  const idle = connect({ host, port });
  idle.write(`GET /idle HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(idle, 'data');
  const arrived = once(server, 'request');
  const answer = read({ port, agent });
  await arrived;
  let isClosed = false;
  const closed = processPort.close().then(() => {
    isClosed = true;
  });
  await once(idle.resume(), 'close');
  await once(connect({ host, port }), 'error');
  expect(isClosed).toBe(false);
  respond();
  expect(await answer).toBe('last');
  await closed;
});
