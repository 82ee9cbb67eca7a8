// Uploads are stored completely or not at all. Downloads have signed links and ranges, and the first download
// is recorded.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { DatabaseUnavailableError, type Db } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { attachFile } from '@counterfoil/licensing-server/items/management/attach-file';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditActions, bothClients, type TestClient } from '../environment/clients.ts';
import { openCountedApp } from '../environment/counted-app.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const content = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));
const octets = { 'content-type': 'application/octet-stream' };
const maxBytes = 4 * 1024 * 1024;
/**
 * This number of bytes does not fit into the buffers of both sockets of a connection. The sender must
 * therefore wait for the receiver.
 */
const largeBytes = 32 * 1024 * 1024;

let given: Given;
let workspaceId: bigint;
let clients: TestClient[];
let client: TestClient;
let port = 0;

beforeAll(async () => {
  given = await givenLicensing({ UPLOAD_MAX_BYTES: String(maxBytes) });
  workspaceId = await given.workspace();
  clients = await bothClients(given, workspaceId);
  client = clients[0] as TestClient;
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  port = (given.app.server.address() as { port: number }).port;
});

afterAll(() => given.close());

/** Every file in the files folder, including drafts of uploads. */
async function listFiles(): Promise<string[]> {
  const entries = await readdir(given.config.filesDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
}

const upload = (
  itemId: bigint | number,
  { body = content as Buffer, version = '1.0.0', name = 'theme.zip', by = client } = {},
) =>
  by.send(
    'PUT',
    `/items/${itemId}/versions/${version}/file?file_name=${encodeURIComponent(name)}`,
    body,
    octets,
  );

async function sell(more: { body?: Buffer; name?: string } = {}) {
  const itemId = await given.item(workspaceId);
  expect((await upload(itemId, more)).status).toBe(200);
  const { id } = await given.purchase(workspaceId, itemId);
  return { itemId, purchaseId: id };
}

async function link(purchaseId: bigint, body: object = {}, by = client): Promise<string> {
  const made = await by.send('POST', `/purchases/${purchaseId}/download-links`, body);
  expect(made.body).toMatchObject({ status: 'success' });
  return new URL(made.body.data.url).pathname;
}

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  given.app.inject({ method, url, headers });

const isDownloaded = async (purchaseId: bigint) =>
  (await client.send('GET', `/purchases/${purchaseId}`)).body.data.purchase.downloaded as boolean;

describe('uploads of files', () => {
  it('an upload by key or by session is stored under a generated name and leaves an audit line', async () => {
    for (const by of clients) {
      const itemId = await given.item(workspaceId);
      const answer = await upload(itemId, { name: '../../etc/passwd', by });
      expect(answer.body.data.version).toMatchObject({
        version: '1.0.0',
        file: {
          name: '../../etc/passwd',
          bytes: 1000,
          sha256: createHash('sha256').update(content).digest('hex'),
        },
      });
    }
    const files = await listFiles();
    expect(files.length).toBeGreaterThanOrEqual(clients.length);
    for (const file of files) expect(file).toMatch(/\/[0-9a-f]{2}\/[0-9a-f]{32}$/);
    expect((await auditActions(given, workspaceId)).at(-1)).toBe('item_file_uploaded');
  });

  it('uploads replace the earlier file of the same version', async () => {
    const itemId = await given.item(workspaceId);
    await upload(itemId);
    const before = await listFiles();
    await upload(itemId, { body: Buffer.from('second') });
    const after = await listFiles();
    expect(after).toHaveLength(before.length);
    const added = after.filter((file) => !before.includes(file));
    expect(await readFile(added[0] ?? '', 'utf8')).toBe('second');
  });

  it('uploads succeed even if the earlier file cannot be removed', async () => {
    const itemId = await given.item(workspaceId);
    const before = await listFiles();
    await upload(itemId);
    const old = (await listFiles()).find((file) => !before.includes(file)) ?? '';
    await rm(old);
    await mkdir(old);
    const second = await upload(itemId, { body: Buffer.from('second') });
    expect(second.status).toBe(200);
    const { id } = await given.purchase(workspaceId, itemId);
    expect((await get(await link(id))).body).toBe('second');
    expect(given.logLines.join('')).toContain('could not be removed');
    await rmdir(old);
  });

  it('an upload keeps its new file if it is unknown whether the transaction was committed', async () => {
    const itemId = await given.item(workspaceId);
    const transaction: Db['transaction'] = async (work) => {
      await given.db.transaction(work);
      throw new DatabaseUnavailableError('Connection terminated unexpectedly');
    };
    const deps = { db: { ...given.db, transaction }, filesDir: given.config.filesDir, maxBytes };
    const attached = attachFile(
      { ...deps, logger: { warn: () => {} } },
      {
        caller: { workspaceId, actor: {} },
        itemId,
        version: '1.0.0',
        fileName: 'x.zip',
        source: Readable.from([content]),
        now: () => given.clock.now,
      },
    );
    await expect(attached).rejects.toThrow('Connection terminated');
    const { id } = await given.purchase(workspaceId, itemId);
    expect((await get(await link(id))).rawPayload).toEqual(content);
  });

  it('an empty upload, an unknown version and a browser form are refused and leave no file', async () => {
    const itemId = await given.item(workspaceId);
    const before = await listFiles();
    expect((await upload(itemId, { body: Buffer.alloc(0) })).status).toBe(400);
    expect(await upload(itemId, { version: '7.7.7' })).toMatchObject({
      status: 404,
      body: { code: 'version_not_found' },
    });
    expect((await upload(itemId, { version: '..%2f..' })).status).toBe(400);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const path = `/items/${itemId}/versions/1.0.0/file`;
    expect((await clients[1]?.send('PUT', path, content, form))?.status).toBe(403);
    expect(await listFiles()).toEqual(before);
  });

  const raw = (itemId: bigint, head: string, key: string) =>
    `PUT /api/v1/items/${itemId}/versions/1.0.0/file HTTP/1.1\r\nHost: x\r\n` +
    `X-Api-Key: ${key}\r\nContent-Type: application/zip\r\n${head}\r\n\r\n`;
  const writeKey = () => given.apiKey(workspaceId, { scopes: ['items:write'] });

  it('interrupted uploads leave nothing on disk or in the database', async () => {
    const itemId = await given.item(workspaceId);
    const before = await listFiles();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(raw(itemId, 'Content-Length: 1000000', await writeKey()));
    socket.write(Buffer.alloc(300_000));
    await eventually(async () => expect(await listFiles()).toHaveLength(before.length + 1));
    socket.destroy();
    await eventually(async () => expect(await listFiles()).toEqual(before));
    const versions = await client.send('GET', `/items/${itemId}/versions`);
    expect(versions.body.data.versions[0]).not.toHaveProperty('file');
  });

  it('uploads over the limit are refused, with or without Content-Length, and leave no file', async () => {
    const itemId = await given.item(workspaceId);
    const before = await listFiles();
    const key = await writeKey();
    const announced = await exchange(raw(itemId, `Content-Length: ${maxBytes + 1}`, key));
    expect(announced).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = Buffer.alloc(1024 * 1024);
    const chunked = await exchange(raw(itemId, 'Transfer-Encoding: chunked', key), async (socket) => {
      for (let i = 0; i < 16 && !socket.destroyed; i++) {
        socket.write(`${chunk.length.toString(16)}\r\n`);
        socket.write(chunk);
        if (!socket.write('\r\n')) await onceDrainedOrClosed(socket);
      }
    });
    expect(chunked === '' || /^HTTP\/1\.1 413 /.test(chunked)).toBe(true);
    await eventually(async () => expect(await listFiles()).toEqual(before));
  });
});

const onceDrainedOrClosed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve);
    socket.once('close', () => resolve());
    if (socket.destroyed) resolve();
  });

function exchange(head: string, more: (socket: Socket) => Promise<void> = async () => {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data;
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(head);
    void more(socket);
  });
}

describe('a download link', () => {
  it('a link made by a key or a session sends the file with a safe name and no-store', async () => {
    const { purchaseId } = await sell({ name: 'Schö"n/é.zip' });
    for (const by of clients) {
      const answer = await get(await link(purchaseId, {}, by));
      expect(answer.statusCode).toBe(200);
      expect(answer.rawPayload.equals(content)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': '1000',
        'content-disposition': `attachment; filename="Sch__n__.zip"; filename*=UTF-8''Sch%C3%B6_n_%C3%A9.zip`,
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        etag: `"${createHash('sha256').update(content).digest('hex')}"`,
      });
    }
  });

  it('a download link lasts 24 hours by default', async () => {
    const { purchaseId } = await sell();
    const made = await client.send('POST', `/purchases/${purchaseId}/download-links`);
    expect(made.body.data.expires_at).toBe('2026-05-05T10:00:00Z');
    const [day, hour] = [await link(purchaseId), await link(purchaseId, { hours: 1 })];
    const before = given.clock.now;
    given.clock.now = new Date(before.getTime() + 3_600_000);
    expect([(await get(day)).statusCode, (await get(hour)).statusCode]).toEqual([200, 404]);
    given.clock.now = new Date(before.getTime() + 86_400_000);
    expect((await get(day)).statusCode).toBe(404);
    given.clock.now = before;
  });

  it('a forged, cut or expired link and a link of a refunded purchase get the same 404', async () => {
    const { purchaseId } = await sell();
    const good = await link(purchaseId);
    const expired = await link(purchaseId, { hours: 1 });
    const flip = (at: number) => {
      const text = [...good];
      text[at] = text[at] === 'A' ? 'B' : 'A';
      return text.join('');
    };
    const start = '/downloads/cfd_'.length;
    const spots = [start, start + 5, start + 12, start + 30, good.length - 10, good.length - 2];
    const bad = [...spots.map(flip), good.slice(0, -1), `${good}A`, '/downloads/x', '/downloads/cfd_'];
    // Base64url decoding ignores some bits of the last character. Tokens that differ only in these bits must
    // be refused.
    for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (!good.endsWith(c)) bad.push(good.slice(0, -1) + c);
    const answers = [];
    for (const url of bad) answers.push(await get(url));
    const before = given.clock.now;
    given.clock.now = new Date(before.getTime() + 7_200_000);
    answers.push(await get(expired));
    given.clock.now = before;
    expect((await get(good)).statusCode).toBe(200);
    await client.send('POST', `/purchases/${purchaseId}/refund`);
    answers.push(await get(good));
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 404));
    const bodies = answers.map((answer) => answer.body.replace(/"request_id":"[^"]*"/, ''));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('download_not_found');
  });

  it.each(['refunded', 'cancelled', 'disputed'] as const)(
    'a download link cannot be made for a %s purchase',
    async (state) => {
      const { itemId } = await sell();
      const { id } = await given.purchase(workspaceId, itemId, { state });
      const made = await client.send('POST', `/purchases/${id}/download-links`);
      expect(made).toMatchObject({ status: 409, body: { code: 'purchase_state_conflict' } });
    },
  );

  it('a link opens the given or else the newest version; a version without a file has no link', async () => {
    const { itemId, purchaseId } = await sell({ body: Buffer.from('one') });
    const newest = await link(purchaseId);
    await client.send('POST', `/items/${itemId}/versions`, { version: '1.2.0' });
    const missing = await client.send('POST', `/purchases/${purchaseId}/download-links`, {
      version: '1.2.0',
    });
    expect(missing).toMatchObject({ status: 409, body: { code: 'file_missing' } });
    expect((await get(newest)).body).toBe('one');
    await upload(itemId, { version: '1.2.0', body: Buffer.from('two') });
    await client.send('POST', `/items/${itemId}/versions`, { version: '1.10.0' });
    await upload(itemId, { version: '1.10.0', body: Buffer.from('ten') });
    expect((await get(newest)).body).toBe('ten');
    expect((await get(await link(purchaseId, { version: '1.2.0' }))).body).toBe('two');
  });

  it('a download link appears in the log without its token', async () => {
    const { purchaseId } = await sell();
    const url = await link(purchaseId);
    await get(url);
    await get(`${url}/`);
    const token = url.slice('/downloads/cfd_'.length);
    expect(given.logLines.join('')).toContain('/downloads/');
    expect(given.logLines.join('')).not.toContain(token);
  });
});

describe('a download', () => {
  it.each([
    ['bytes=0-0', 206, 0, 0],
    ['bytes=10-19', 206, 10, 19],
    ['bytes=990-', 206, 990, 999],
    ['bytes=990-5000', 206, 990, 999],
    ['bytes=-10', 206, 990, 999],
    ['bytes=-5000', 206, 0, 999],
    ['bytes=0-1,5-6', 200, 0, 999],
    ['bytes=20-10', 200, 0, 999],
    ['items=0-1', 200, 0, 999],
    ['bytes=a-b', 200, 0, 999],
  ] as const)('a download with the range %s gets status %i', async (range, status, first, last) => {
    const { purchaseId } = await sell();
    const url = await link(purchaseId);
    const answer = await get(url, { range });
    expect(answer.statusCode).toBe(status);
    expect(answer.rawPayload.equals(content.subarray(first, last + 1))).toBe(true);
    expect(answer.headers['content-range']).toBe(status === 206 ? `bytes ${first}-${last}/1000` : undefined);
    const head = await get(url, { range }, 'HEAD');
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      status,
      '',
      String(last - first + 1),
    ]);
  });

  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])(
    'a download with the range %s gets 416 and the size of the file',
    async (range) => {
      const { purchaseId } = await sell();
      const answer = await get(await link(purchaseId), { range });
      expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */1000']);
      expect(answer.json()).toMatchObject({ status: 'error', code: 'range_not_satisfiable' });
    },
  );

  it('a wrong ETag in If-Range gets the whole file; the right ETag in If-None-Match gets 304', async () => {
    const { purchaseId } = await sell();
    const url = await link(purchaseId);
    const etag = String((await get(url)).headers.etag);
    const part = await get(url, { range: 'bytes=0-0', 'if-range': etag });
    const whole = await get(url, { range: 'bytes=0-0', 'if-range': '"other"' });
    expect([part.statusCode, whole.statusCode]).toEqual([206, 200]);
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304);
  });
});

describe('a purchase of an item with a file', () => {
  it('only a completed download marks the purchase as downloaded, and it leaves one audit line', async () => {
    const { purchaseId } = await sell();
    const url = await link(purchaseId);
    expect(await isDownloaded(purchaseId)).toBe(false);
    const other = await openCountedApp(given);
    await other.app.inject({ method: 'HEAD', url });
    expect((await other.app.inject({ url, headers: { range: 'bytes=0-998' } })).statusCode).toBe(206);
    // `close` waits until every download is recorded.
    await other.close();
    expect(await isDownloaded(purchaseId)).toBe(false);
    await get(url);
    await eventually(async () => expect(await isDownloaded(purchaseId)).toBe(true));
    await get(url);
    const actions = (await auditActions(given, workspaceId)).filter((each) => each === 'purchase_downloaded');
    expect(actions.length).toBeGreaterThan(0);
    const { rows } = await given.db.query(
      `select 1 from audit_log where action = 'purchase_downloaded' and subject_id = $1`,
      [String(purchaseId)],
    );
    expect(rows).toHaveLength(1);
  });

  it('a purchase counts as downloaded after a range with the last byte was sent', async () => {
    const { purchaseId } = await sell();
    await get(await link(purchaseId), { range: 'bytes=500-' });
    await eventually(async () => expect(await isDownloaded(purchaseId)).toBe(true));
  });

  it('an interrupted download counts only after it is resumed and completed', async () => {
    const { itemId, purchaseId } = await sell();
    const deps = { db: given.db, filesDir: given.config.filesDir, maxBytes: largeBytes };
    await attachFile(
      { ...deps, logger: { warn: () => {} } },
      {
        caller: { workspaceId, actor: {} },
        itemId,
        version: '1.0.0',
        fileName: 'large.zip',
        source: Readable.from([Buffer.alloc(largeBytes, 7)]),
        now: () => given.clock.now,
      },
    );
    const url = await link(purchaseId);
    const brokenOff = new Promise<ServerResponse>((resolve) =>
      given.app.server.once('request', (_request, response) =>
        response.once('close', () => resolve(response)),
      ),
    );
    const received = await new Promise<number>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let bytes = 0;
      socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
      socket.on('data', (data) => {
        bytes += data.length;
        if (bytes > 1_000_000) socket.destroy();
      });
      socket.on('close', () => resolve(bytes));
    });
    expect(received).toBeLessThan(largeBytes);
    expect((await brokenOff).writableFinished).toBe(false);
    expect(await isDownloaded(purchaseId)).toBe(false);
    const rest = await fetch(`http://127.0.0.1:${port}${url}`, {
      headers: { range: `bytes=${received}-` },
    });
    expect(rest.status).toBe(206);
    expect((await rest.arrayBuffer()).byteLength).toBe(largeBytes - received);
    await eventually(async () => expect(await isDownloaded(purchaseId)).toBe(true));
  });
});
