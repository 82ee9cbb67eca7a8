// If another site makes a browser send a request to the panel, the request is refused before any other check.

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { errors, openSignInDesk, publicUrl, type SignInDesk } from '../testing/sign-in-app.ts';
import { refuseCrossSiteRequests } from './cross-site.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
  desk.app.post('/panel/own/:id', async () => ({ reached: true }));
  desk.app.post('/panel/own/file', { config: { panelUpload: true } }, async () => ({}));
  desk.app.post('/api/open', async () => ({ reached: true }));
  desk.app.addContentTypeParser(
    ['application/octet-stream', 'multipart/form-data'],
    (_request, payload, done) => {
      payload.resume();
      done(null);
    },
  );
  await desk.app.register(async (child) => {
    child.post('/panel/child', async () => ({ reached: true }));
  });
});
afterAll(() => desk.close());

type Headers = Record<string, string>;
const json = { 'content-type': 'application/json' };

const send = async (headers: Headers, url = '/panel/own/1', method: 'POST' | 'DELETE' = 'POST') => {
  const payload = method === 'POST' ? '{}' : undefined;
  const answer = await desk.app.inject({ method, url, headers, ...(payload && { payload }) });
  return `${answer.statusCode} ${answer.json().code ?? 'ok'}`;
};

const refused = '403 cross_site_refused';

describe('an unsafe request to the panel', () => {
  it.each<[string, Headers]>([
    ['from the panel itself', { ...json, origin: publicUrl, 'sec-fetch-site': 'same-origin' }],
    ['from a browser without Sec-Fetch-Site', { ...json, origin: publicUrl }],
    ['from a program', json],
    ['that the user started', { ...json, 'sec-fetch-site': 'none' }],
    ['with a charset', { 'content-type': 'Application/JSON; charset=utf-8' }],
  ])('a request %s is served', async (_, headers) => expect(await send(headers)).toBe('200 ok'));

  it.each<[string, Headers]>([
    ['from another origin', { ...json, origin: 'http://evil.example' }],
    ['from another port', { ...json, origin: 'http://panel.example:4200' }],
    ['from another scheme', { ...json, origin: 'https://panel.example:4100' }],
    ['from a sandboxed frame', { ...json, origin: 'null' }],
    ['from another site', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the same site', { ...json, origin: publicUrl, 'sec-fetch-site': 'same-site' }],
    ['sent as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['sent as a form with files', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['sent as text', { 'content-type': 'text/plain' }],
    ['sent as text with JSON as a parameter of the type', { 'content-type': 'text/plain; application/json' }],
    ['without a content type', {}],
  ])('a request %s is refused', async (_, headers) => expect(await send(headers)).toBe(refused));

  it.each(['/panel/session', '/panel/links/redeem', '/panel/child', '/%70anel/own/1'])(
    'a request from another origin is refused on the route %s',
    async (url) => expect(await send({ ...json, origin: 'http://evil.example' }, url)).toBe(refused),
  );

  it('a DELETE request needs no content type, but is refused from another origin', async () => {
    expect(await send({}, '/panel/session', 'DELETE')).toBe('200 ok');
    const headers = { origin: 'http://evil.example' };
    expect(await send(headers, '/panel/session', 'DELETE')).toBe(refused);
  });

  it.each<[string, Headers, string]>([
    ['accepted with the origin of the panel', { origin: publicUrl }, '200 ok'],
    ['accepted with Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }, '200 ok'],
    ['refused if the user started it', { 'sec-fetch-site': 'none' }, refused],
    ['refused from another origin', { origin: 'http://evil.example' }, refused],
    [
      'refused from another origin of the same site',
      { origin: publicUrl, 'sec-fetch-site': 'same-site' },
      refused,
    ],
    [
      'refused with a content type that a form can send',
      { origin: publicUrl, 'content-type': 'text/plain' },
      refused,
    ],
  ])('a request without a body is %s', async (_, headers, ends) => {
    const request = { method: 'POST', url: '/panel/own/1', headers } as const;
    const answer = await desk.app.inject(request);
    expect(`${answer.statusCode} ${answer.json().code ?? 'ok'}`).toBe(ends);
  });

  it('a route for uploads accepts a file, but not with a content type that a form can send', async () => {
    const url = '/panel/own/file';
    expect(await send({ 'content-type': 'application/octet-stream' }, url)).toBe('200 ok');
    expect(await send({ 'content-type': 'multipart/form-data; boundary=x' }, url)).toBe(refused);
    expect(await send({ 'content-type': 'application/octet-stream' })).toBe(refused);
  });

  it('the error of a refused request contains the URL of the panel', async () => {
    const headers = { origin: 'http://evil.example' };
    const answer = await desk.app.inject({ method: 'DELETE', url: '/panel/session', headers });
    expect(answer.json().msg).toContain(publicUrl);
  });
});

describe('the protection against other sites', () => {
  it('the protection does not affect reads and routes outside the panel', async () => {
    const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    const me = await desk.app.inject({ method: 'GET', url: '/panel/session', headers });
    expect(me.json().code).toBe('not_signed_in');
    expect(await send({ ...json, ...headers }, '/api/open')).toBe('200 ok');
    expect(await send({ ...json, ...headers }, '/panel/nothing')).toBe('404 route_not_found');
  });

  it.each([
    ['http://127.0.0.1:4100', 'http://localhost:4100', 200],
    ['http://127.0.0.1:4100', 'http://127.0.0.1:4100', 200],
    ['http://127.0.0.1:4100', 'http://[::1]:4100', 200],
    ['http://127.0.0.1:4100', 'http://localhost:4200', 403],
    ['http://127.0.0.1:4100', 'http://localhost', 403],
    ['http://localhost', 'http://[::1]', 200],
    ['http://localhost', 'http://[::1]:4100', 403],
    ['http://localhost', 'https://localhost', 403],
    ['http://localhost.example', 'http://localhost', 403],
  ])('a request to a panel at %s from the origin %s is answered with %i', async (panel, origin, status) => {
    expect(await statusFrom(panel, origin)).toBe(status);
  });

  it('the protection leaves an unknown path to the router, which answers 404', async () => {
    expect(await statusFrom(publicUrl, 'http://evil.example', '/panel/nothing')).toBe(404);
  });
});

/**
 * Sends a DELETE request to an app that has only the protection against other sites and one route. Returns
 * the status.
 */
async function statusFrom(panel: string, origin: string, url = '/panel/own') {
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  refuseCrossSiteRequests(app, { publicUrl: new URL(panel), errors });
  app.delete('/panel/own', async () => ({ reached: true }));
  return (await app.inject({ method: 'DELETE', url, headers: { origin } })).statusCode;
}
