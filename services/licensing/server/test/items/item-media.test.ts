// Uploaded media of items: only sound files are accepted, they are served without metadata under addresses
// that nobody can guess, and nothing remains of refused, replaced and removed files.
import { access, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DatabaseUnavailableError, type Db } from '@counterfoil/kit/postgres/db';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseRendering } from '../../src/items/media/render-image.ts';
import { inTurn } from '../../src/items/media/render-queue.ts';
import {
  removeReleasedFiles,
  removeUnknownFiles,
  startMediaSweeper,
} from '../../src/items/media/sweep-media.ts';
import { uploadMedia } from '../../src/items/media/upload-media.ts';
import { auditActions, bothClients, type TestClient, withoutRequestId } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import {
  emptyArchive,
  makeAnimation,
  makeCoarse,
  makeFilm,
  makeMp3,
  makeMp4,
  makeNoise,
  makePicture,
  makePngHeader,
  makeSlope,
  makeWav,
  place,
} from '../environment/media-files.ts';

const octets = { 'content-type': 'application/octet-stream' };
const dayMs = 24 * 3_600_000;

let given: Given;
let workspaceId: bigint;
let clients: TestClient[];
let client: TestClient;
let animation: Buffer;

beforeAll(async () => {
  animation = await makeAnimation();
  given = await givenLicensing({
    LICENSING_PUBLIC_URL: 'https://shop.example',
    MEDIA_IMAGE_MAX_BYTES: '200000',
    MEDIA_IMAGE_MAX_PIXELS: '2000000',
    MEDIA_AUDIO_MAX_BYTES: '50000',
    MEDIA_ITEM_MAX_BYTES: '400000',
    MEDIA_WORKSPACE_MAX_BYTES: '600000',
  });
  workspaceId = await given.workspace();
  clients = await bothClients(given, workspaceId);
  client = clients[0] as TestClient;
});

afterAll(() => given.close());

type Kind = 'image' | 'audio' | 'video';

const draft = (kind: Kind = 'image', workspace = workspaceId) =>
  given.item(workspace, { kind, state: 'draft' });

const upload = (itemId: bigint, field: string, body: Buffer, by = client, headers = octets) =>
  by.send('PUT', `/items/${itemId}/media/${field}`, body, headers);

/** Uploads a file and returns the media of the item. */
async function put(itemId: bigint, field: string, body: Buffer, by = client) {
  const answer = await upload(itemId, field, body, by);
  expect(answer.body).toMatchObject({ status: 'success' });
  return answer.body.data.item.media;
}

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  given.app.inject({ method, url: new URL(url).pathname, headers });

const readItem = async (itemId: bigint) => (await client.send('GET', `/items/${itemId}`)).body.data.item;

async function listFiles(): Promise<string[]> {
  const root = join(given.config.filesDir, 'media');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
}

async function readPicture(bytes: Buffer) {
  const path = join(given.config.filesDir, 'picture');
  await writeFile(path, bytes);
  return sharp(path).metadata();
}

const sweeping = () => ({
  db: given.db,
  filesDir: given.config.filesDir,
  now: () => given.clock.now,
  onError: (error: unknown) => {
    throw error;
  },
});

describe('an uploaded file', () => {
  it('is served under an address in the field of the item, for programs and for people', async () => {
    for (const by of clients) {
      const itemId = await draft();
      const media = await put(itemId, 'preview_image', await makePicture(), by);
      const form = new RegExp(`^https://shop\\.example/media/${workspaceId}/[0-9a-f]{32}\\.jpg$`);
      expect(media).toEqual({
        thumbnail: expect.stringMatching(form),
        preview_image: expect.stringMatching(form),
      });
      expect(media.thumbnail).not.toBe(media.preview_image);
      expect((await readItem(itemId)).media).toEqual(media);
      const answer = await get(media.preview_image);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(answer.rawPayload.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': 'sandbox',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect((await auditActions(given, workspaceId)).at(-1)).toBe('item_media_uploaded');
    }
  });

  it('appears in the published item as an address, like an address of another site', async () => {
    const itemId = await draft();
    await put(itemId, 'preview_image', await makePicture());
    const remote = 'https://media.example/1.png';
    await client.send('PATCH', `/items/${itemId}`, { media: { screenshots: [remote] } });
    const media = await put(itemId, 'screenshots', await makePicture({ format: 'png' }));
    expect(media.screenshots).toEqual([remote, expect.stringMatching(/\.png$/)]);
    expect((await client.send('POST', `/items/${itemId}/publish`)).status).toBe(200);
    const key = await given.apiKey(workspaceId);
    const url = `/api/items/item?item_id=${itemId}`;
    const published = await given.app.inject({ url, headers: { 'x-api-key': key } });
    expect(published.json().item.media).toEqual(media);
  });

  it.each([
    ['image', 'preview_image', 'image/jpeg', () => makePicture()],
    ['image', 'preview_image', 'image/png', () => makePicture({ format: 'png' })],
    ['image', 'thumbnail', 'image/webp', () => makePicture({ format: 'webp' })],
    ['audio', 'preview_audio', 'audio/mpeg', makeMp3],
    ['audio', 'preview_audio', 'audio/wav', makeWav],
    ['audio', 'preview_audio', 'audio/mp4', () => makeMp4('M4A ', ['soun'])],
    ['video', 'preview_video', 'video/mp4', makeFilm],
    ['video', 'preview_video', 'video/mp4', () => makeMp4('isom', ['vide', 'soun', 'tmcd'])],
  ] as const)('of an item of the kind %s in %s is served as %s without metadata', async (...row) => {
    const [kind, field, type, make] = row;
    const file = await make();
    expect(file.includes(place)).toBe(true);
    const answer = await get((await put(await draft(kind), field, file))[field]);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.rawPayload.includes(place)).toBe(false);
    if (kind === 'image') expect((await readPicture(answer.rawPayload)).exif).toBeUndefined();
    // The metadata of sounds and films is overwritten, so that no offset in the file changes.
    else expect(answer.rawPayload).toHaveLength(file.length);
  });

  it('a PNG that needs filters stays small', async () => {
    const slope = await makeSlope(400);
    const [url] = (await put(await draft(), 'screenshots', slope)).screenshots;
    expect((await get(url)).rawPayload.length).toBeLessThan(2 * slope.length);
  });

  it('a turned photo is stored upright, and a thumbnail is made in its proportions', async () => {
    const photo = await makePicture({ width: 1300, height: 650, orientation: 6 });
    const media = await put(await draft(), 'preview_image', photo);
    const sizeOf = async (url: string) => {
      const { width, height } = await readPicture((await get(url)).rawPayload);
      return [width, height];
    };
    expect(await sizeOf(media.preview_image)).toEqual([650, 1300]);
    expect(await sizeOf(media.thumbnail)).toEqual([320, 640]);
  });

  it('a generated thumbnail follows the preview image, and a chosen thumbnail stays', async () => {
    const itemId = await draft();
    const first = await put(itemId, 'preview_image', await makePicture());
    const second = await put(itemId, 'preview_image', await makePicture({ color: '#0c0' }));
    expect(second.thumbnail).not.toBe(first.thumbnail);
    const chosen = await put(itemId, 'thumbnail', await makePicture({ color: '#00c' }));
    const last = await put(itemId, 'preview_image', await makePicture({ color: '#cc0' }));
    expect(last.thumbnail).toBe(chosen.thumbnail);
    expect((await get(last.thumbnail)).statusCode).toBe(200);
  });

  it('the same upload again changes nothing', async () => {
    const itemId = await draft();
    const picture = await makePicture();
    const media = await put(itemId, 'screenshots', picture);
    const before = { files: await listFiles(), audit: await auditActions(given, workspaceId) };
    expect(await put(itemId, 'screenshots', picture)).toEqual(media);
    expect({ files: await listFiles(), audit: await auditActions(given, workspaceId) }).toEqual(before);
  });
});

describe('reads of media', () => {
  it('send ranges, and answer HEAD, If-None-Match and impossible ranges', async () => {
    const url = (await put(await draft('audio'), 'preview_audio', makeWav())).preview_audio;
    const whole = await get(url);
    const part = await get(url, { range: 'bytes=0-3' });
    expect([part.statusCode, part.body]).toEqual([206, 'RIFF']);
    const size = whole.rawPayload.length;
    expect(part.headers).toMatchObject({
      'content-range': `bytes 0-3/${size}`,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const head = await get(url, {}, 'HEAD');
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(size)]);
    expect((await get(url, { 'if-none-match': String(whole.headers.etag) })).statusCode).toBe(304);
    const impossible = await get(url, { range: `bytes=${size}-` });
    expect(impossible.statusCode).toBe(416);
    expect(impossible.headers['cache-control']).toBe('no-store');
  });

  it('a missing file, a wrong name and the workspace of another seller get the same 404', async () => {
    const url = (await put(await draft(), 'thumbnail', await makePicture())).thumbnail;
    const other = await given.workspace();
    const urls = [
      url.replace(`/${workspaceId}/`, `/${other}/`),
      url.replace(`/${workspaceId}/`, '/999999999999999999/'),
      url.replace('.jpg', '.png'),
      url.replace('.jpg', ''),
      url.replace(/[0-9a-f]{32}/, 'f'.repeat(32)),
      `https://shop.example/media/${workspaceId}/..%2f..%2fetc`,
      'https://shop.example/media/x/y',
    ];
    const texts = new Set<string>();
    for (const each of urls) {
      const answer = await get(each);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['cache-control']).toBe('no-store');
      texts.add(answer.body.replace(/"request_id":"[^"]*"/, ''));
    }
    expect([...texts]).toEqual([expect.stringContaining('"media_not_found"')]);
  });

  it('a stored file that lacks bytes is an internal error that no cache keeps', async () => {
    const url = (await put(await draft(), 'thumbnail', await makePicture())).thumbnail;
    const key = new URL(url).pathname.split('/')[3]?.slice(0, 32);
    await writeFile((await listFiles()).find((file) => file.endsWith(String(key))) ?? '', 'short');
    const answer = await get(url);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([500, 'no-store']);
  });
});

describe('a refused upload changes nothing', () => {
  const text = (content: string) => Buffer.from(content, 'latin1');
  const cut = (file: Buffer, bytes: number) => file.subarray(0, file.length - bytes);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const jpeg = () => makePicture();
  /** A JPEG that a program may also take for a page, because a comment near its beginning has tags. */
  const page = async () => {
    const file = await jpeg();
    const comment = text('\xff\xfe\x00\x1c<html><script>1</script>');
    return Buffer.concat([file.subarray(0, 2), comment, file.subarray(2)]);
  };
  const archive = async () => Buffer.concat([await jpeg(), emptyArchive]);
  const gif = () => makePicture({ format: 'gif' });

  it.each([
    ['a text', 'preview_image', () => text('hello'), 415, 'media_type_refused'],
    ['an SVG', 'preview_image', () => text(svg), 415, 'media_type_refused'],
    ['an HTML page', 'preview_image', () => text('<!doctype html>'), 415, 'media_type_refused'],
    ['a JPEG that is also a page', 'preview_image', page, 415, 'media_type_refused'],
    ['a JPEG that is also an archive', 'preview_image', archive, 415, 'media_type_refused'],
    ['a film that is also an archive', 'preview_video', () => Buffer.concat([makeFilm(), emptyArchive]), 415],
    ['a GIF', 'preview_image', gif, 415, 'media_type_refused'],
    ['an AVIF', 'preview_image', () => text('\0\0\0\x1cftypavif'), 415, 'media_type_refused'],
    ['an animation', 'preview_image', () => animation, 415, 'media_type_refused'],
    ['a sound in the field of an image', 'thumbnail', makeWav, 415, 'media_type_refused'],
    ['an image in the field of a film', 'preview_video', jpeg, 415, 'media_type_refused'],
    ['a film without pictures', 'preview_video', () => makeMp4('isom', ['soun']), 415, 'media_type_refused'],
    ['an empty file', 'preview_image', () => Buffer.alloc(0), 400, 'invalid_body'],
    [
      'half a JPEG',
      'preview_image',
      async () => cut(await makeNoise(99, 99, 'jpeg'), 5000),
      400,
      'media_damaged',
    ],
    ['half a PNG', 'preview_image', async () => cut(await makeNoise(50, 50), 3000), 400, 'media_damaged'],
    ['the beginning of a WebP', 'thumbnail', () => text('RIFF\x20\0\0\0WEBPVP8 '), 400, 'media_damaged'],
    ['half a film', 'preview_video', () => cut(makeFilm(), 4000), 400, 'media_damaged'],
    ['a film with positions', 'preview_video', () => makeMp4('mp42', ['vide', 'meta']), 400, 'media_damaged'],
    ['a film with subtitles', 'preview_video', () => makeMp4('mp42', ['vide', 'sbtl']), 400, 'media_damaged'],
    ['a film with texts', 'preview_video', () => makeMp4('mp42', ['vide', 'text']), 400, 'media_damaged'],
    ['a film with hints', 'preview_video', () => makeMp4('mp42', ['vide', 'hint']), 400, 'media_damaged'],
    [
      'a film with foreign data',
      'preview_video',
      () => Buffer.concat([makeFilm(), text('x'.repeat(9))]),
      400,
    ],
    ['an image bomb', 'preview_image', () => makePngHeader(60_000, 60_000), 400, 'media_too_many_pixels'],
    [
      'an image with a long side',
      'preview_image',
      () => makePngHeader(1, 16_385),
      400,
      'media_too_many_pixels',
    ],
    ['an image that grows', 'screenshots', () => makeCoarse(800), 413, 'body_too_large'],
    ['an image over the limit', 'thumbnail', () => makePicture({ width: 2001, height: 1000 }), 400],
    ['a large image', 'preview_image', () => makeNoise(300, 300), 413, 'body_too_large'],
    ['a sound for another kind of item', 'preview_audio', makeWav, 409, 'media_field_unused'],
    ['an unknown field', 'cover', jpeg, 400, 'invalid_parameter'],
  ] as const)('%s in %s', async (_title, field, make, status, code = undefined) => {
    const itemId = await draft('video');
    await expectRefused(itemId, field, await make(), { status, code });
  });

  it.each([
    ['half an MP3', () => cut(makeMp3(), 300), 'media_damaged'],
    ['an MP3 without frames', () => makeMp3(0), 'media_damaged'],
    ['an MP3 with a cut tag', () => makeMp3().subarray(0, 60), 'media_damaged'],
    ['two joined MP3s', () => Buffer.concat([makeMp3(), makeMp3()]), 'media_damaged'],
    ['half a WAV', () => cut(makeWav(), 100), 'media_damaged'],
    ['a WAV without sound', () => text('RIFF\x04\0\0\0WAVE'), 'media_damaged'],
    ['an M4A with a film', () => makeMp4('M4A ', ['soun', 'vide']), 'media_type_refused'],
  ] as const)('%s as the sound of an item', async (_title, make, code) => {
    const status = code === 'media_damaged' ? 400 : 415;
    await expectRefused(await draft('audio'), 'preview_audio', make(), { status, code });
  });

  async function expectRefused(
    itemId: bigint,
    field: string,
    body: Buffer,
    { status, code }: { status: number; code: string | undefined },
  ) {
    const item = await readItem(itemId);
    const files = await listFiles();
    const answer = await upload(itemId, field, body);
    expect(answer).toMatchObject({ status, body: { status: 'error', ...(code && { code }) } });
    expect(await readItem(itemId)).toEqual(item);
    expect(await listFiles()).toEqual(files);
  }

  it('an image while 2 images of the workspace are waiting', async () => {
    const [itemId, picture] = [await draft(), await jpeg()];
    const overloaded = { status: 503, headers: { 'retry-after': '1' }, body: { code: 'overloaded' } };
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const hold = (workspace: bigint) =>
      inTurn({ workspaceId: workspace, isAborted: () => false }, () => held);
    const running = [hold(workspaceId), hold(workspaceId), hold(workspaceId)];
    try {
      expect(await upload(itemId, 'thumbnail', picture)).toMatchObject(overloaded);
    } finally {
      end();
      await Promise.all(running);
    }
    expect((await upload(itemId, 'thumbnail', picture)).status).toBe(200);
  });

  it('a form, and a body with an announced size over the limit', async () => {
    const itemId = await draft('audio');
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const [byKey, byPanel] = clients as [TestClient, TestClient];
    expect(await upload(itemId, 'thumbnail', text('--x--'), byKey, form)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    expect((await upload(itemId, 'thumbnail', text('--x--'), byPanel, form)).status).toBe(403);
    const large = await upload(itemId, 'preview_audio', Buffer.alloc(50_001));
    expect(large).toMatchObject({ status: 413, body: { data: { max_bytes: 50_000 } } });
  });

  it('an upload to an item of another workspace, like one to a missing item', async () => {
    const foreign = await draft('image', await given.workspace());
    const answers = [foreign, 999_999_999n].map(async (itemId) =>
      withoutRequestId(await upload(itemId, 'thumbnail', await makePicture())),
    );
    const [one, two] = await Promise.all(answers);
    expect(one).toBe(two);
    expect(one).toContain('item_not_found');
  });

  it('more bytes than an item or a workspace may have, and more than 50 screenshots', async () => {
    const other = await given.workspace();
    const by = (await bothClients(given, other))[0] as TestClient;
    const [first, second] = [await draft('image', other), await draft('image', other)];
    const add = async (itemId: bigint) => upload(itemId, 'screenshots', await makeNoise(200, 200), by);
    for (let i = 0; i < 3; i++) expect((await add(first)).status).toBe(200);
    const full = { status: 409, body: { code: 'media_limit_reached' } };
    expect(await add(first)).toMatchObject({ ...full, body: { data: { of: 'item', max_bytes: 400_000 } } });
    expect((await add(second)).status).toBe(200);
    expect(await add(second)).toMatchObject({ ...full, body: { data: { of: 'workspace' } } });
    const media = { screenshots: Array.from({ length: 50 }, (_, i) => `https://media.example/${i}.png`) };
    await by.send('PATCH', `/items/${first}`, { media });
    expect(await add(first)).toMatchObject({ ...full, body: { data: { of: 'screenshots', max: 50 } } });
  });
});

describe('replaced and removed files', () => {
  it('are not served any more, are in the audit log, and leave the disk with the next sweep', async () => {
    const itemId = await draft();
    await removeReleasedFiles(sweeping());
    const files = await listFiles();
    const first = await put(itemId, 'thumbnail', await makePicture());
    const second = await put(itemId, 'thumbnail', await makePicture({ color: '#0c0' }));
    expect((await get(first.thumbnail)).statusCode).toBe(404);
    expect((await get(second.thumbnail)).statusCode).toBe(200);
    const media = { thumbnail: 'https://media.example/t.png' };
    await client.send('PATCH', `/items/${itemId}`, { media });
    expect((await get(second.thumbnail)).statusCode).toBe(404);
    expect((await auditActions(given, workspaceId)).slice(-5)).toEqual([
      'item_media_uploaded',
      'item_media_uploaded',
      'item_media_removed',
      'item_edited',
      'item_media_removed',
    ]);
    expect(await removeReleasedFiles(sweeping())).toBe(2);
    expect(await removeReleasedFiles(sweeping())).toBe(0);
    expect(await listFiles()).toEqual(files);
  });

  it('count towards the limit of the workspace until the sweep', async () => {
    const other = await given.workspace();
    const by = (await bothClients(given, other))[0] as TestClient;
    const itemId = await draft('image', other);
    const replace = async () => upload(itemId, 'thumbnail', await makeNoise(200, 200), by);
    for (let i = 0; i < 4; i++) expect((await replace()).status).toBe(200);
    expect(await replace()).toMatchObject({ status: 409, body: { data: { of: 'workspace' } } });
    await removeReleasedFiles(sweeping());
    expect((await replace()).status).toBe(200);
  });

  it('a row whose file is gone is removed, because a sweep may be killed between the two', async () => {
    const itemId = await draft();
    await removeReleasedFiles(sweeping());
    const before = await listFiles();
    await put(itemId, 'thumbnail', await makePicture());
    const [added = ''] = (await listFiles()).filter((file) => !before.includes(file));
    await client.send('PATCH', `/items/${itemId}`, { media: { thumbnail: '' } });
    await rm(added);
    expect(await removeReleasedFiles(sweeping())).toBe(1);
    expect(await removeReleasedFiles(sweeping())).toBe(0);
  });

  it('a file that cannot be removed does not stop the sweep', async () => {
    const other = await given.workspace();
    const by = (await bothClients(given, other))[0] as TestClient;
    const itemId = await draft('image', other);
    await removeReleasedFiles(sweeping());
    const before = await listFiles();
    for (const color of ['#c00', '#0c0', '#00c'])
      await put(itemId, 'thumbnail', await makePicture({ color }), by);
    const [first = ''] = (await listFiles()).filter((file) => !before.includes(file)).sort();
    await by.send('PATCH', `/items/${itemId}`, { media: { thumbnail: '' } });
    // A folder in the place of a file cannot be removed as a file.
    await rm(first);
    await mkdir(first);
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    expect(await removeReleasedFiles({ ...sweeping(), onError })).toBe(2);
    expect(errors).toHaveLength(1);
    await rm(first, { recursive: true });
    expect(await removeReleasedFiles(sweeping())).toBe(1);
  });

  it('a required field of a published item cannot be emptied, and its file stays', async () => {
    const itemId = await draft();
    const { thumbnail } = await put(itemId, 'preview_image', await makePicture());
    await client.send('POST', `/items/${itemId}/publish`);
    const emptied = await client.send('PATCH', `/items/${itemId}`, { media: { thumbnail: '' } });
    expect(emptied).toMatchObject({ status: 409, body: { code: 'item_incomplete' } });
    expect((await get(thumbnail)).statusCode).toBe(200);
  });

  it('an item cannot refer to a file of another workspace or item, or to a removed file', async () => {
    const other = await given.workspace();
    const [theirs] = await bothClients(given, other);
    const picture = await makePicture();
    const foreign = await put(await draft('image', other), 'thumbnail', picture, theirs);
    const sibling = await put(await draft(), 'thumbnail', picture);
    const itemId = await draft();
    const missing = sibling.thumbnail.replace(/[0-9a-f]{32}/, 'f'.repeat(32));
    const texts = new Set<string>();
    const inOtherForms = [
      sibling.thumbnail.replace('https:', 'HTTPS:'),
      sibling.thumbnail.replace('shop.example', 'SHOP.example:443'),
      sibling.thumbnail.replace('/media/', '/%6dedia/'),
      sibling.thumbnail.replace('/media/', '/x/../media/'),
    ];
    for (const thumbnail of [foreign.thumbnail, sibling.thumbnail, missing, ...inOtherForms]) {
      const answer = await client.send('PATCH', `/items/${itemId}`, { media: { thumbnail } });
      expect(answer.status).toBe(400);
      texts.add(withoutRequestId(answer));
    }
    expect(texts.size).toBe(1);
    expect((await readItem(itemId)).media.thumbnail).toBe('');
    const own = await put(itemId, 'thumbnail', picture);
    const moved = await client.send('PATCH', `/items/${itemId}`, {
      media: { thumbnail: '', preview_image: own.thumbnail },
    });
    expect(moved.status).toBe(200);
    expect((await get(own.thumbnail)).statusCode).toBe(200);
  });
});

describe('an interrupted upload', () => {
  const interrupted = async (transaction: Db['transaction']) => {
    const itemId = await draft();
    const running = uploadMedia(
      {
        db: { ...given.db, transaction },
        filesDir: given.config.filesDir,
        publicUrl: given.config.publicUrl,
        mediaLimits: given.config.mediaLimits,
        now: () => given.clock.now,
        logger: { warn: () => {} },
      },
      {
        caller: { workspaceId, actor: {} },
        itemId,
        field: 'thumbnail',
        source: Readable.from([await makePicture()]),
        announcedBytes: undefined,
        isAborted: () => false,
      },
    );
    await expect(running).rejects.toThrow('Connection');
    return itemId;
  };
  const error = () => new DatabaseUnavailableError('Connection terminated unexpectedly');

  it('leaves no file if the database refuses the row', async () => {
    const files = await listFiles();
    const itemId = await interrupted(() => Promise.reject(error()));
    expect(await listFiles()).toEqual(files);
    expect((await readItem(itemId)).media.thumbnail).toBe('');
  });

  it('keeps its file if the transaction may have been committed', async () => {
    const itemId = await interrupted(async (work) => {
      await given.db.transaction(work);
      throw error();
    });
    const { media } = await readItem(itemId);
    expect((await get(media.thumbnail)).statusCode).toBe(200);
  });

  it('leaves a file that is not served and is removed after a day; files with a row stay', async () => {
    const { thumbnail } = await put(await draft(), 'thumbnail', await makePicture());
    const key = 'ab'.repeat(16);
    const folder = join(given.config.filesDir, 'media', String(workspaceId), 'ab');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, key), 'x');
    const url = `https://shop.example/media/${workspaceId}/${key}.jpg`;
    expect((await get(url)).statusCode).toBe(404);
    const now = () => new Date(Date.now() + dayMs / 2);
    expect(await removeUnknownFiles({ ...sweeping(), now })).toBe(0);
    for (const file of await listFiles()) await utimes(file, 0, 0);
    expect(await removeUnknownFiles({ ...sweeping(), now })).toBe(1);
    expect((await get(thumbnail)).statusCode).toBe(200);
  });

  it('is removed by a service that has been running for a day', async () => {
    let now = new Date();
    const sweeper = startMediaSweeper({ ...sweeping(), now: () => now });
    await sweeper.now();
    const folder = join(given.config.filesDir, 'media', String(workspaceId), 'cd');
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'cd'.repeat(16));
    await writeFile(path, 'x');
    await utimes(path, 0, 0);
    await sweeper.now();
    await access(path);
    now = new Date(now.getTime() + dayMs);
    await sweeper.now();
    await sweeper.stop();
    await expect(access(path)).rejects.toThrow('ENOENT');
  });
});

describe('the rendering of images', () => {
  const ready = { workspaceId: 1n, isAborted: () => false };

  it('lets 2 images of a workspace and 20 of all workspaces wait', async () => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const enqueue = (workspace: number) => inTurn({ ...ready, workspaceId: BigInt(workspace) }, () => held);
    const all = [enqueue(1)];
    for (let i = 0; i < 20; i++) all.push(enqueue(i % 10));
    expect(() => enqueue(1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    expect(() => enqueue(99)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    end();
    await Promise.all(all);
    await enqueue(99);
  });

  it('skips the image of a client that has gone', async () => {
    let isDone = false;
    const work = async () => {
      isDone = true;
    };
    const gone = inTurn({ ...ready, isAborted: () => true }, work);
    await expect(gone).rejects.toMatchObject({ code: 'malformed_request' });
    expect(isDone).toBe(false);
    await inTurn(ready, work);
    expect(isDone).toBe(true);
  });

  it.each([
    ['timeout: 40% complete', 'unavailable'],
    ['VipsJpeg: premature end of JPEG image', 'media_damaged'],
  ])('answers the error %j as %s', (message, code) => {
    expect(() => refuseRendering(new Error(message))).toThrow(expect.objectContaining({ code }));
  });
});
