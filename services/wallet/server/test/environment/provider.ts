// A small provider over HTTP. A test chooses how each of its routes fails.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const faults = [
  'refused',
  'stalled',
  'html',
  'huge',
  'announced_huge',
  'drip',
  'redirect',
  'wrong_types',
  'broken_json',
  'not_utf8',
  'packed',
  'unauthorised',
  'failing',
] as const;

export type Fault = (typeof faults)[number];

type RouteName = 'private/games' | 'public/games' | 'private/launch' | 'shared/launch' | 'packages';

interface Call {
  readonly route: RouteName;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Provider {
  readonly env: Record<string, string>;
  readonly calls: Call[];
  /** Returns the names of the routes in `calls`, in order, and empties `calls`. */
  drainCalls(): RouteName[];
  faults: Partial<Record<RouteName, Fault>>;
  /** The content of the catalogues. */
  games: Record<'private' | 'public', unknown>;
  /** The answers to launches, by route. A launch without an entry succeeds. */
  launches: Partial<Record<RouteName, { status: number; body: unknown }>>;
  /** Delays every answer until the returned function is called. */
  block(): () => void;
  close(): Promise<void>;
}

const token = 'provider-token-of-tests';

export const gamesNamed = (...ids: string[]) =>
  ids.map((id) => ({ id, name: `Game ${id}`, has_demo: true, status: 'active' }));

const routes: [RegExp, RouteName][] = [
  [/^\/private\/v1\/games$/, 'private/games'],
  [/^\/public\/v1\/games$/, 'public/games'],
  [/^\/private\/v1\/launches$/, 'private/launch'],
  [/^\/public\/v1\/shared-launches$/, 'shared/launch'],
  [/^\/private\/v1\/packages\//, 'packages'],
];

export async function givenProvider(): Promise<Provider> {
  let blocked: Promise<void> = Promise.resolve();
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    void readAll(request).then(async (text) => {
      const path = request.url ?? '';
      const route = routes.find(([form]) => form.test(path))?.[1];
      if (!route) return void response.writeHead(404).end();
      const { authorization } = request.headers;
      provider.calls.push({ route, path, authorization, body: text && JSON.parse(text) });
      await blocked;
      const fault = provider.faults[route];
      if (fault) fail(response, fault, timers);
      else if (route !== 'public/games' && authorization !== `Bearer ${token}`) {
        fail(response, 'unauthorised', timers);
      } else answer(provider, response, route);
    });
  });
  // The server closes no idle connection, because a slow client could send a request on a connection that is
  // being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: Provider = {
    env: {
      PROVIDER_PRIVATE_URL: `${url}/private`,
      PROVIDER_PUBLIC_URL: `${url}/public`,
      PROVIDER_API_TOKEN: token,
    },
    calls: [],
    drainCalls: () => provider.calls.splice(0).map((call) => call.route),
    faults: {},
    games: { private: gamesNamed('a', 'b', 'c'), public: gamesNamed('a', 'b') },
    launches: {},
    block: () => {
      let release = () => {};
      blocked = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function answer(provider: Provider, response: ServerResponse, route: RouteName): void {
  const at = '2026-01-01T00:00:00Z';
  if (route === 'private/games' || route === 'public/games') {
    const games = provider.games[route === 'private/games' ? 'private' : 'public'];
    send(response, 200, { updated_at: at, games });
    return;
  }
  const other = provider.launches[route];
  const launchUrl = `http://127.0.0.1/play/${route.replace('/', '-')}`;
  if (route === 'packages') send(response, 200, { registered_at: at });
  else if (other) send(response, other.status, other.body);
  else send(response, 201, { launch_url: launchUrl, expires_at: at });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const json = { 'content-type': 'application/json' };

function fail(response: ServerResponse, fault: Fault, timers: Set<NodeJS.Timeout>): void {
  if (fault === 'refused') response.socket?.destroy();
  if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
  if (fault === 'huge') pour(response, 50 * 1024 * 1024);
  if (fault === 'announced_huge') {
    response.writeHead(200, { ...json, 'content-length': 50 * 1024 * 1024 }).write('{"games":[');
  }
  if (fault === 'drip') drip(response, timers);
  if (fault === 'redirect') {
    response.writeHead(302, { ...json, location: '/public/v1/games' }).end('{}');
  }
  if (fault === 'wrong_types') send(response, 200, { games: 'many', launch_url: 7, expires_at: 7 });
  if (fault === 'broken_json') response.writeHead(200, json).end('{"games":[{"id":');
  if (fault === 'not_utf8') {
    response.writeHead(200, json).end(Buffer.from('{"games":[{"id":"\xff","name":"x"}]}', 'latin1'));
  }
  if (fault === 'packed') {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x');
  }
  if (fault === 'unauthorised') send(response, 401, { error: { code: 'unauthorized' } });
  if (fault === 'failing') send(response, 503, { error: { code: 'unavailable' } });
}

/** Sends a JSON document with this number of bytes. */
function pour(response: ServerResponse, bytes: number): void {
  response.writeHead(200, json).write('{"games":[');
  const piece = Buffer.from(`${JSON.stringify(gamesNamed('x')[0])},`.repeat(1000));
  let left = bytes;
  const go = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', go);
    }
    response.end();
  };
  go();
}

/** Sends one byte every 10 ms, so the connection is never idle, but the answer never ends. */
function drip(response: ServerResponse, timers: Set<NodeJS.Timeout>): void {
  response.writeHead(200, json).write('{"games":[');
  const timer = setInterval(() => response.write(' '), 10);
  timers.add(timer);
  response.once('close', () => {
    clearInterval(timer);
    timers.delete(timer);
  });
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
