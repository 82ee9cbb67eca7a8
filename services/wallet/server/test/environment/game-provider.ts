// A provider over HTTP that lists and launches games in one dialect. A test chooses how it fails.
import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Secrets } from '../../src/connections/dialects/dialect.ts';
import { signParams } from '../../src/connections/dialects/slotegrator/signature.ts';
import { signBody } from '../../src/connections/dialects/softswiss/signature.ts';

export type SourceDialect = 'softswiss' | 'hub88' | 'slotegrator';

interface Call {
  readonly kind: 'list' | 'launch';
  readonly path: string;
  readonly fields: Record<string, unknown>;
  readonly isSigned: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

export interface GameProvider {
  readonly dialect: SourceDialect;
  readonly url: string;
  /** The credentials of a connection to this provider. */
  readonly secrets: Secrets;
  readonly calls: Call[];
  /** The ids of the provider's games, without a prefix. */
  games: string[];
  /**
   * `stalled`: the provider never answers. `refused`: it closes the connection. An `Answer` is sent
   * unchanged.
   */
  faults: Partial<Record<Call['kind'], 'stalled' | 'refused' | Answer>>;
  launchUrl: string;
  close(): Promise<void>;
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

const secretsOf: Record<SourceDialect, Secrets> = {
  softswiss: { token: 'softswiss-token', casino_id: 'casino-1' },
  hub88: {
    provider_public_key_pem: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private_key_pem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    operator_id: '7',
  },
  slotegrator: { merchant_id: 'merchant-1', merchant_key: 'merchant-key-1' },
};

const launchPaths = ['/api/v1/softswiss/launcher/', '/operator/generic/v2/game/url', '/games/init'];

export async function giveGameProvider(dialect: SourceDialect, games: string[]): Promise<GameProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').replace(/^\/base/, '');
      const body = Buffer.concat(chunks);
      const kind = launchPaths.some((each) => path.startsWith(each)) ? 'launch' : 'list';
      const fields = readFields(dialect, path, body);
      const isSigned = checkSigned(dialect, { headers: request.headers, fields, body });
      provider.calls.push({ kind, path, fields, isSigned });
      const fault = provider.faults[kind];
      if (fault === 'stalled') return;
      if (fault === 'refused') response.socket?.destroy();
      else if (!isSigned) send(response, { status: 401, body: {} });
      else send(response, fault ?? answer(provider, kind, fields));
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider: GameProvider = {
    dialect,
    url: `http://127.0.0.1:${port}/base`,
    secrets: secretsOf[dialect],
    calls: [],
    games,
    faults: {},
    launchUrl: `http://127.0.0.1:${port}/play/${dialect}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function readFields(dialect: SourceDialect, path: string, body: Buffer): Record<string, unknown> {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  if (dialect === 'slotegrator') return Object.fromEntries([...query, ...new URLSearchParams(String(body))]);
  return body.length > 0 ? JSON.parse(String(body)) : Object.fromEntries(query);
}

function checkSigned(
  dialect: SourceDialect,
  { headers, fields, body }: { headers: IncomingHttpHeaders; fields: Record<string, unknown>; body: Buffer },
): boolean {
  if (dialect === 'softswiss') return headers['x-request-sign'] === signBody('softswiss-token', body);
  if (dialect === 'hub88') {
    const signature = Buffer.from(String(headers['x-hub88-signature']), 'base64');
    return verify('sha256', body, keys.publicKey, signature);
  }
  const merchant = { merchantId: 'merchant-1', merchantKey: 'merchant-key-1' };
  const params = new Map(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  const stamp = { timestamp: Number(headers['x-timestamp']), nonce: String(headers['x-nonce']) };
  return headers['x-sign'] === signParams(merchant, params, stamp)['x-sign'];
}

/** The provider sends two games per page in Slotegrator's dialect. */
const perPage = 2;

function answer({ dialect, games, launchUrl }: GameProvider, kind: Call['kind'], fields: object): Answer {
  if (kind === 'launch') {
    return { status: 200, body: dialect === 'softswiss' ? { launch_url: launchUrl } : { url: launchUrl } };
  }
  if (dialect === 'softswiss') {
    const listed = games.map((identifier) => ({ identifier, title: `Game ${identifier}` }));
    return { status: 200, body: { games: listed.map((game) => ({ ...game, demo_available: true })) } };
  }
  if (dialect === 'hub88') {
    const listed = games.map((game_code) => ({ game_code, name: `Game ${game_code}` }));
    return { status: 200, body: listed.map((game) => ({ ...game, demo_game_support: false })) };
  }
  const { page } = fields as { page: string };
  const from = (Number(page) - 1) * perPage;
  const items = games.slice(from, from + perPage).map((uuid) => ({ uuid, name: `Game ${uuid}` }));
  const pageCount = Math.max(1, Math.ceil(games.length / perPage));
  return { status: 200, body: { items, _meta: { pageCount, currentPage: Number(page) } } };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
