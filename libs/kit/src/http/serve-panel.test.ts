// A panel is served at its own paths only, with a strict content security policy and cacheable files.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../observability/logging.ts';
import { type App, buildApp } from './app.ts';
import { defineErrors, transportErrors } from './errors.ts';
import { servePanel } from './serve-panel.ts';

const errors = defineErrors(transportErrors);
const lines: string[] = [];
const logger = createLogger({
  service: 'test',
  level: 'warn',
  destination: { write: (line) => void lines.push(line) },
});
const script = 'console.log("hello")'.repeat(50);
let dist = '';
let app: App;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'counterfoil-panel-'));
  await mkdir(join(dist, 'assets'));
  const page = '<script nonce="{{nonce}}"></script><meta nonce="{{nonce}}">';
  await writeFile(join(dist, 'index.html'), page);
  await writeFile(join(dist, 'paths.json'), JSON.stringify(['/', '/light', '/w/$id/things']));
  await writeFile(join(dist, 'light.html'), '<script src="light.js" nonce="{{nonce}}"></script>');
  await writeFile(join(dist, 'secret.js'), 'outside');
  await writeFile(join(dist, 'assets/a-1.js'), script);
  await writeFile(join(dist, 'assets/a-1.js.br'), brotliCompressSync(script));
  await writeFile(join(dist, 'assets/a-1.js.gz'), gzipSync(script));
  app = buildApp({ errors, logger });
  servePanel(app, { dist, errors, mediaSources: ['http://127.0.0.1:4300'] });
});

afterAll(async () => {
  await app.close();
  await rm(dist, { recursive: true });
});

const policyOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['content-security-policy']);

describe('the page', () => {
  it.each(['/', '/w/7/things', '/w/7/things?state=draft'])('the page is served at %s', async (url) => {
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  it('the page is served from a separate file if the build created one for its path', async () => {
    const light = await app.inject({ url: '/light' });
    expect(light.body).toContain('light.js');
    expect(policyOf(light)).toContain(/nonce="([^"]+)"/.exec(light.body)?.[1]);
    expect((await app.inject({ url: '/' })).body).not.toContain('light.js');
    expect((await app.inject({ url: '/light.html' })).statusCode).toBe(404);
  });

  it.each(['/w', '/w/7/thing', '/things', '/index.html', '/paths.json'])(
    'the page is not served at %s, which is answered with an error in JSON',
    async (url) => {
      const answer = await app.inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ status: 'error', code: 'route_not_found' });
    },
  );

  it('the page is not served for POST, which gets 405 and the allowed methods GET and HEAD', async () => {
    const answer = await app.inject({ method: 'POST', url: '/w/7/things' });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
    expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(200);
  });

  it('the page has a new nonce each time, which is also in the content security policy', async () => {
    const [first, second] = [await app.inject({ url: '/' }), await app.inject({ url: '/' })];
    const nonces = [first, second].map((answer) => /nonce="([^"]+)"/.exec(answer.body)?.[1]);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(first.body).not.toContain('{{nonce}}');
    expect(policyOf(first)).toContain(`script-src 'self' 'nonce-${nonces[0]}';`);
    expect(policyOf(first)).toContain(`style-src 'self' 'nonce-${nonces[0]}';`);
  });

  it('the page has a policy that allows nothing from other origins except images and media', async () => {
    const policy = policyOf(await app.inject({ url: '/' }));
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' data: https: http://127.0.0.1:4300");
    expect(policy).not.toContain('unsafe');
  });
});

describe('a file', () => {
  it.each([
    ['br, gzip', 'br', () => brotliCompressSync(script)],
    ['gzip', 'gzip', () => gzipSync(script)],
    ['gzip;q=1.0, br;q=0', 'gzip', () => gzipSync(script)],
    ['identity', undefined, () => Buffer.from(script)],
  ])('a file is sent in the best encoding for Accept-Encoding: %s', async (accepted, encoding, bytes) => {
    const headers = { 'accept-encoding': accepted };
    const answer = await app.inject({ url: '/assets/a-1.js', headers });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.rawPayload.length).toBe(bytes().length);
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.vary).toBe('accept-encoding');
  });

  it.each(['/assets/b.js', '/assets/..%2fsecret.js', '/assets/', '/assets/a-1.js.br'])(
    'a path that names no file to serve is answered with 404 route_not_found: %s',
    async (url) => {
      const answer = await app.inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'route_not_found' });
    },
  );
});

it('without a built panel, the service serves the API only and logs a warning', async () => {
  const bare = buildApp({ errors, logger });
  servePanel(bare, { dist: join(dist, 'nowhere'), errors });
  expect((await bare.inject({ url: '/' })).statusCode).toBe(404);
  expect(lines.join()).toContain('the panel is not built');
  await bare.close();
});
