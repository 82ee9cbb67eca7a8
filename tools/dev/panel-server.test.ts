// The development server of a panel serves pages with Vite and forwards everything else to the service.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript without types
import { startPanelServer } from './panel-server.mjs';

const root = join(import.meta.dirname, '../..');
let service: Server;
let panel: { httpServer: Server; close(): Promise<void> };
let url: string;

beforeAll(async () => {
  service = createServer((request, response) => {
    response.setHeader('set-cookie', 'session=1; HttpOnly');
    response.end(`service ${request.method} ${request.url} ${request.headers.origin ?? ''}`);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  panel = await startPanelServer({
    root,
    panel: join(root, 'services/wallet/panel'),
    host: '127.0.0.1',
    port: 0,
    service: `http://127.0.0.1:${port}`,
  });
  url = `http://127.0.0.1:${(panel.httpServer.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await panel?.close();
  service.close();
});

const read = async (path: string, init: RequestInit = {}) => (await fetch(url + path, init)).text();

it.each(['/', '/p/1', '/p/1/settings/webhooks/2', '/admin'])(
  'the server serves the page at %s',
  async (path) => {
    expect(await read(path)).toContain('/src/main.tsx');
  },
);

it('the server serves the sign-in page with its script from libs/ui', async () => {
  const [, script = ''] = /src="([^"]*plain-page\.ts)"/.exec(await read('/sign-in?to=%2F')) ?? [];
  expect(await read(script)).toContain('/panel/session');
});

it.each(['/panel/session', '/api/v1/user/balance?player_id=a', '/admin/v1/packages', '/p/1/nothing'])(
  'the server forwards %s to the service',
  async (path) => {
    expect(await read(path)).toBe(`service GET ${path} `);
  },
);

it('the server forwards a POST with its Origin header, and returns the cookie of the service', async () => {
  const response = await fetch(`${url}/panel/session`, {
    method: 'POST',
    headers: { origin: url },
  });
  expect(await response.text()).toBe(`service POST /panel/session ${url}`);
  expect(response.headers.get('set-cookie')).toBe('session=1; HttpOnly');
});
