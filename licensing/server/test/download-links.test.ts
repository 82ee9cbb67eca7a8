// Making a buyer's link: what is wrong with the wish is said by name; what is known is not sent again.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bothDoors, type TestDoor } from './doors.ts';
import { type Given, givenLicensing } from './given.ts';

let given: Given;
let workspaceId: bigint;
let doors: TestDoor[];
let itemId: bigint;
let path: string;

const octets = { 'content-type': 'application/octet-stream' };

beforeAll(async () => {
  given = await givenLicensing({ UPLOAD_MAX_BYTES: String(1024 * 1024) });
  workspaceId = await given.workspace();
  doors = await bothDoors(given, workspaceId);
  itemId = await given.item(workspaceId);
  const file = `/items/${itemId}/versions/1.0.0/file`;
  expect((await doors[0]?.send('PUT', file, Buffer.from('abc'), octets))?.status).toBe(200);
  const { id } = await given.purchase(workspaceId, itemId);
  path = `/purchases/${id}/download-links`;
});

afterAll(() => given.close());

it.each([
  [{ hours: 0 }, 'hours'],
  [{ hours: 721 }, 'hours'],
  [{ hours: '5' }, 'hours'],
  [{ version: 'new' }, 'version'],
])('%j: names the field', async (body, field) => {
  for (const door of doors) {
    const answer = await door.send('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  }
});

it('a version that is not there: 404', async () => {
  const answer = await doors[0]?.send('POST', path, { version: '9.9.9' });
  expect(answer).toMatchObject({ status: 404, body: { code: 'version_not_found' } });
});

it('no body, an empty one and {} are the same wish; a list is none', async () => {
  const json = { 'content-type': 'application/json' };
  for (const [body, headers] of [
    [undefined, {}],
    [Buffer.alloc(0), json],
    [{}, {}],
  ] as const) {
    expect((await doors[0]?.send('POST', path, body, headers))?.status).toBe(200);
  }
  const list = await doors[0]?.send('POST', path, []);
  expect(list).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
});

it('who has any of it already gets 304', async () => {
  const made = await doors[0]?.send('POST', path);
  const url = new URL(made?.body.data.url).pathname;
  const known = await given.app.inject({ url, headers: { 'if-none-match': '*' } });
  expect([known.statusCode, known.body]).toEqual([304, '']);
});

it('an upload that grows too large while it comes is told so', async () => {
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = given.app.server.address() as { port: number };
  const key = await given.apiKey(workspaceId, { scopes: ['items:write'] });
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.on('data', (part) => {
      received += part;
    });
    socket.write(
      `PUT /api/v1/items/${itemId}/versions/1.0.0/file HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n` +
        'Content-Type: application/zip\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const part = Buffer.alloc(1024 * 1024);
    for (let i = 0; i < 10; i++) {
      socket.write(`${part.length.toString(16)}\r\n`);
      socket.write(part);
      socket.write('\r\n');
    }
  });
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain('"code":"body_too_large"');
});
