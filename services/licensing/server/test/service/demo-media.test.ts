// GET /demo-media/…: serves exactly the files that the demo's items name.
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../src/demo/seed.ts';
import { givenLicensing, setUpLicensing } from '../environment/given.ts';

interface Media {
  readonly thumbnail: string;
  readonly preview_image?: string;
  readonly preview_video?: string;
  readonly preview_audio?: string;
  readonly screenshots?: string[];
}

const publicUrl = 'https://licensing.example';
const given = setUpLicensing({ DEMO: 'on', LICENSING_PUBLIC_URL: publicUrl });
const addresses: string[] = [];

beforeAll(async () => {
  given.clock.now = new Date();
  await seedDemo(given.db, given.config);
  const found = await findDemoCredentials(given.db, given.config.masterKey);
  const { workspaces } = found as { workspaces: { api_key: string }[] };
  for (const { api_key } of workspaces) {
    const headers = { 'x-api-key': api_key };
    const items = (await given.app.inject({ url: '/api/items/all', headers })).json().items ?? [];
    for (const { media } of items as { media: Media }[]) addresses.push(...Object.values(media).flat());
    const account = (await given.app.inject({ url: '/api/account/details', headers })).json();
    addresses.push(...Object.values(account.data.profile.media as object).filter(Boolean));
  }
});

const fetchFile = (path: string, headers: Record<string, string> = {}) =>
  given.app.inject({ url: path, headers });

const types = { svg: 'image/svg+xml', wav: 'audio/wav', mp4: 'video/mp4' } as Record<string, string>;
const starts = { svg: '<svg xmlns', wav: 'RIFF', mp4: 'ftyp' } as Record<string, string>;

it('every media URL in an answer is absolute, and leads to a file of the expected type', async () => {
  expect(addresses.length).toBeGreaterThan(20);
  const endings = new Set<string>();
  for (const address of addresses) {
    expect(address.startsWith(`${publicUrl}/demo-media/`)).toBe(true);
    const ending = address.split('.').at(-1) ?? '';
    endings.add(ending);
    const answer = await fetchFile(new URL(address).pathname);
    expect([address, answer.statusCode]).toEqual([address, 200]);
    expect(answer.headers['content-type']).toBe(types[ending]);
    expect(answer.rawPayload.subarray(0, 16).toString('latin1')).toContain(starts[ending]);
  }
  expect(endings).toEqual(new Set(['svg', 'wav', 'mp4']));
});

it('a picture that is opened as a page runs no script, loads nothing, and has a fixed type', async () => {
  const { headers, body } = await fetchFile('/demo-media/paperlane/journal-thumbnail.svg');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain('sandbox');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(body).not.toMatch(/<script|href=|style=| on\w+=/);
});

it('a request for a cached file gets 304, and a request for a range gets 206', async () => {
  const path = '/demo-media/paperlane/typewriter-preview.wav';
  const whole = await fetchFile(path);
  const etag = String(whole.headers.etag);
  expect((await fetchFile(path, { 'if-none-match': etag })).statusCode).toBe(304);
  const part = await fetchFile(path, { range: 'bytes=8-11' });
  expect([part.statusCode, part.body]).toEqual([206, 'WAVE']);
  expect(part.headers['content-range']).toBe(`bytes 8-11/${whole.rawPayload.length}`);
  const past = await fetchFile(path, { range: 'bytes=99999999-' });
  expect([past.statusCode, past.headers['cache-control']]).toEqual([416, 'no-store']);
  const head = await given.app.inject({ method: 'HEAD', url: path });
  expect([head.statusCode, head.body.length]).toEqual([200, 0]);
});

it('a file that no item of the demo names is not served', async () => {
  for (const path of [
    '/demo-media/paperlane/none.svg',
    '/demo-media/nobody/journal-thumbnail.svg',
    '/demo-media/paperlane/..%2f..%2fpackage.json',
    '/demo-media/__proto__/constructor',
    '/demo-media/paperlane/',
  ]) {
    const answer = await fetchFile(path);
    expect([path, answer.statusCode, answer.json().status]).toEqual([path, 404, 'error']);
  }
});

it('a service without the demo serves no demo media', async () => {
  const plain = await givenLicensing();
  const answer = await plain.app.inject({ url: '/demo-media/paperlane/journal-thumbnail.svg' });
  expect(answer.statusCode).toBe(404);
  await plain.close();
});
