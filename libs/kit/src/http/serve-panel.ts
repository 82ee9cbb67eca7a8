// Serves a built panel: its page at the panel's paths, and its files.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';

export interface PanelOptions {
  /**
   * The folder of the built panel. If it does not exist, the service serves only the API and logs a warning.
   */
  readonly dist: string;
  readonly errors: ServiceErrors<TransportErrorCode>;
  /** Additional origins of images, audio and video. */
  readonly mediaSources?: readonly string[];
}

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gz: Buffer | undefined;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const nonceMark = '{{nonce}}';

/**
 * Writes a content security policy that allows only the page's own scripts, styles, fonts and connections.
 * Images, audio and video may come from any https address.
 */
const writePolicy = (nonce: string, mediaSources: readonly string[]): string => {
  const media = ["'self'", 'data:', 'https:', ...mediaSources].join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${media}`,
    `media-src ${media}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

export function servePanel(app: App, options: PanelOptions): void {
  const { dist, errors, mediaSources = [] } = options;
  if (!existsSync(join(dist, 'paths.json'))) {
    app.log.warn({ dist }, 'the panel is not built: run npm run build');
    return;
  }
  const sendPage = (page: string) => async (_request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...pageHeaders,
        'content-security-policy': writePolicy(nonce, mediaSources),
      })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(nonceMark, nonce));
  };
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  for (const path of readPaths(dist)) {
    // A page that must load fast, such as sign-in, may have its own HTML file.
    const own = join(dist, `${path}.html`);
    const content = existsSync(own) ? readFileSync(own, 'utf8') : page;
    app.get(path, { schema: { hide: true } }, sendPage(content));
  }

  const assets = readAssets(join(dist, 'assets'));
  app.get('/assets/:name', { schema: { hide: true } }, async (request, reply) => {
    const asset = assets.get((request.params as { name: string }).name);
    if (!asset) throw errors.fail('route_not_found');
    return sendAsset(asset, request, reply as unknown as FastifyReply);
  });
}

/** Reads the paths of the panel. The panel's router writes parameters as `$name`, Fastify as `:name`. */
const readPaths = (dist: string): string[] =>
  (JSON.parse(readFileSync(join(dist, 'paths.json'), 'utf8')) as string[]).map((path) =>
    path.replaceAll('/$', '/:'),
  );

/**
 * Reads the panel's files into memory (1 to 2 MB). A request therefore reads no path outside the folder, and
 * does not wait for the disk.
 */
function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(folder);
  const read = (name: string) => (names.includes(name) ? readFileSync(join(folder, name)) : undefined);
  return new Map(
    names.flatMap((name) => {
      const type = types[extname(name)];
      if (type === undefined) return [];
      const plain = readFileSync(join(folder, name));
      return [[name, { type, plain, br: read(`${name}.br`), gz: read(`${name}.gz`) }]];
    }),
  );
}

/** Sends a file. Its name contains the hash of its content, so browsers may cache it forever. */
function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { bytes, encoding } = pickEncoding(asset, request.headers['accept-encoding']);
  reply.headers({
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'accept-encoding',
    ...(encoding && { 'content-encoding': encoding }),
  });
  return reply.type(asset.type).send(bytes);
}

function pickEncoding(asset: Asset, accepted: string | undefined) {
  if (asset.br && accepts(accepted, 'br')) return { bytes: asset.br, encoding: 'br' };
  if (asset.gz && accepts(accepted, 'gzip')) return { bytes: asset.gz, encoding: 'gzip' };
  return { bytes: asset.plain, encoding: undefined };
}

/** Whether the Accept-Encoding header accepts an encoding. `gzip, br;q=0` accepts gzip and refuses br. */
const accepts = (accepted: string | undefined, encoding: string): boolean =>
  (accepted ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
