// The API key of a request can be sent in several fields, and with blanks around it.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { collectEarlyKeys, conflict, unite } from './sent-keys.ts';

it('blanks around a key are ignored', () => {
  expect(unite([' ck_live_x\n', 'ck_live_x', '\tck_live_x'])).toBe('ck_live_x');
});

it('a blank text does not count as a key', () => {
  expect(unite(['  ', undefined, null, ''])).toBeUndefined();
  expect(unite([' ', 'ck_live_x'])).toBe('ck_live_x');
});

it('two different keys, or a key and a value that is not a text, are a conflict', () => {
  expect(unite(['ck_live_x', 'ck_live_y'])).toBe(conflict);
  expect(unite(['ck_live_x', 5])).toBe(conflict);
});

/** A header with two values is sent as two header lines. */
type Headers = Record<string, string | string[]>;

/** Sends a real request, and returns the key that the server found, `conflict` or `none`. */
async function askOver(path: string, headers: Headers): Promise<string> {
  const app = fastify();
  app.get('/', async (request) => {
    const key = unite(collectEarlyKeys(request));
    return key === conflict ? 'conflict' : (key ?? 'none');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const sent = get({ host: '127.0.0.1', port, path, headers, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return await text(response);
}

it.each<[string, string, Headers, string]>([
  ['in no known field', '/', { 'x-other': 'k' }, 'none'],
  ['in the query', '/?api_key=k', {}, 'k'],
  ['in the query twice', '/?api_key=k&api_key=k', {}, 'k'],
  ['in its own header', '/', { 'x-api-key': 'k' }, 'k'],
  ['in its own header twice', '/', { 'x-api-key': ['k', 'k'] }, 'k'],
  ['as a bearer token', '/', { authorization: 'Bearer k' }, 'k'],
  ['as a bearer token with a scheme in mixed case', '/', { authorization: 'bEARER   k' }, 'k'],
  ['with another authorization scheme only', '/', { authorization: 'Basic k' }, 'none'],
  ['with a similar header that is not for keys', '/', { authorization: 'Bearer k', via: 'Bearer l' }, 'k'],
  [
    'in its own header, with another authorization scheme',
    '/',
    { authorization: 'Basic x', 'x-api-key': 'k' },
    'k',
  ],
  ['in the query and both headers', '/?api_key=k', { authorization: 'Bearer k', 'x-api-key': 'k' }, 'k'],
  ['twice in the query, with different values', '/?api_key=k&api_key=l', {}, 'conflict'],
  ['in two headers, with different values', '/', { 'x-api-key': ['k', 'l'] }, 'conflict'],
  ['as two different bearer tokens', '/', { authorization: ['Bearer k', 'Bearer l'] }, 'conflict'],
  [
    'in its own header, with a different bearer token',
    '/',
    { authorization: 'Bearer k', 'x-api-key': 'l' },
    'conflict',
  ],
  ['in the query, with a different key in the header', '/?api_key=k', { 'x-api-key': 'l' }, 'conflict'],
  [
    'in the query, with a different key in two headers',
    '/?api_key=k',
    { 'x-api-key': ['l', 'l'] },
    'conflict',
  ],
  ['in the query, with a different bearer token', '/?api_key=k', { authorization: 'Bearer l' }, 'conflict'],
])('the server finds a key, no key or a conflict if keys are sent %s', async (_name, path, headers, key) => {
  expect(await askOver(path, headers)).toBe(key);
});

it('a value that is not a text is treated as a key that does not exist', () => {
  expect(unite([5])).toBe('\u0000');
  expect(unite([{ toString: () => 'ck_live_x' }, null])).toBe('\u0000');
});
