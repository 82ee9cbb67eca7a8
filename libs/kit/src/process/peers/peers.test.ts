// Processes of one machine send each other requests over sockets.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { choosePeer } from './choose-peer.ts';
import { readFrames, writeFrame } from './frames.ts';
import type { ReplyFrame, RequestFrame } from './peer-messages.ts';
import { openPeers, type Peers } from './peers.ts';

type Handle = (request: string, ageMs: number) => Promise<string>;

const limits = { replyWithinMs: 60_000, sendWithinMs: 60_000, maxSilenceMs: 60_000, closeWithinMs: 60_000 };

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function open(folder: string, number: number, handle: Handle): Promise<Peers<string, string>> {
  const peers = await openPeers<string, string>({ folder, number, count: 2, handle, ...limits });
  onTestFinished(peers.close);
  return peers;
}

async function openTwo(handle: Handle): Promise<[Peers<string, string>, Peers<string, string>]> {
  const folder = await createFolder();
  const both: [Peers<string, string>, Peers<string, string>] = [
    await open(folder, 1, handle),
    await open(folder, 2, handle),
  ];
  await eventually(() => expect(both.map((peers) => peers.countOpen())).toEqual([1, 1]));
  return both;
}

/** Sends a request to the other process. */
const ask = (peers: Peers<string, string>, request: string) =>
  new Promise<string>((resolve) => {
    const keys = Array.from({ length: 100 }, (_, i) => i);
    const peer = keys.map((key) => peers.find(key)).find((found) => found !== undefined);
    const onLost = (wasSent: boolean) => resolve(wasSent ? 'lost after it was sent' : 'not sent');
    if (peer) peer.send(request, { onReply: resolve, onLost });
    else resolve('no other process');
  });

it('every process chooses the same process for a key, and all get a fair share of the keys', () => {
  const keys = Array.from({ length: 4000 }, (_, i) => i + 1);
  const counts = new Map<number, number>();
  for (const key of keys) {
    const chosen = choosePeer(key, [1, 2, 3, 4]);
    expect(choosePeer(key, [4, 2, 1, 3])).toBe(chosen);
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
    // If process 3 ends, only its own keys move.
    if (chosen !== 3) expect(choosePeer(key, [1, 2, 4])).toBe(chosen);
  }
  expect(Math.min(...counts.values())).toBeGreaterThan(800);
  expect(counts.size).toBe(4);
});

it('each request gets its own reply, in any order', async () => {
  const waiting = new Map<string, (reply: string) => void>();
  const [first] = await openTwo((request) => new Promise((resolve) => waiting.set(request, resolve)));
  const requests = Array.from({ length: 300 }, (_, i) => `request ${i}`);
  const replies = requests.map((request) => ask(first, request));
  await eventually(() => expect(waiting.size).toBe(300));
  for (const request of [...requests].reverse()) waiting.get(request)?.(`reply to ${request}`);
  expect(await Promise.all(replies)).toEqual(requests.map((request) => `reply to ${request}`));
  await first.drain();
});

it('a process that leaves replies to what it has received, and gets nothing more', async () => {
  const waiting: ((reply: string) => void)[] = [];
  const [first, second] = await openTwo(() => new Promise((resolve) => waiting.push(resolve)));
  const sent = ask(first, 'last');
  await eventually(() => expect(waiting).toHaveLength(1));
  second.leave();
  await eventually(() => expect(first.countOpen()).toBe(0));
  expect(await ask(first, 'late')).toBe('no other process');
  const closed = second.close();
  waiting[0]?.('in time');
  expect(await sent).toBe('in time');
  await closed;
});

it('a request is lost if its connection breaks; the connection is opened again', async () => {
  const folder = await createFolder();
  const sockets: Socket[] = [];
  let requests = 0;
  const server = createServer((socket) => {
    sockets.push(socket);
    readFrames(socket, () => requests++);
  });
  await new Promise<void>((resolve) => server.listen(`${folder}/2.sock`, resolve));
  onTestFinished(() => void server.close());
  const first = await open(folder, 1, async () => '');
  await eventually(() => expect(first.countOpen()).toBe(1));
  const sent = ask(first, 'broken');
  await eventually(() => expect(requests).toBe(1));
  const [broken] = sockets.splice(0);
  broken?.destroy();
  expect(await sent).toBe('lost after it was sent');
  await eventually(() => expect(first.countOpen()).toBe(1));
  for (const socket of sockets) socket.destroy();
});

/** Opens a connection to process 1, as another process does, and collects the frames that it sends. */
async function connectTo(folder: string): Promise<{ socket: Socket; frames: ReplyFrame<string>[] }> {
  const frames: ReplyFrame<string>[] = [];
  const socket = connect(`${folder}/1.sock`);
  onTestFinished(() => void socket.destroy());
  readFrames(socket, (frame) => frames.push(frame as ReplyFrame<string>));
  await once(socket, 'connect');
  return { socket, frames };
}

it('more replies than one frame may have are sent in several frames', async () => {
  const folder = await createFolder();
  await open(folder, 1, async (request) => `reply to ${request}`);
  const { socket, frames } = await connectTo(folder);
  const requests = Array.from({ length: 1300 }, (_, i) => [i, `request ${i}`] as const);
  writeFrame(socket, { sentAtMs: 0, requests } satisfies RequestFrame<string>);
  await eventually(() => expect(frames.flatMap(({ replies }) => replies)).toHaveLength(1300));
  expect(new Map(frames.flatMap(({ replies }) => replies)).get(1299)).toBe('reply to request 1299');
  expect(Math.max(...frames.map(({ replies }) => replies.length))).toBe(512);
  socket.end();
});

it('the pieces of a large frame are joined once', async () => {
  const folder = await createFolder();
  const got: string[] = [];
  await open(folder, 1, async (request) => {
    got.push(request);
    return '';
  });
  const { socket } = await connectTo(folder);
  const concat = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => concat.mockRestore());
  const large = 'x'.repeat(4 * 1024 * 1024);
  writeFrame(socket, { sentAtMs: 0, requests: [[1, large]] } satisfies RequestFrame<string>);
  await eventually(() => expect(got).toHaveLength(1));
  expect(got[0]).toBe(large);
  const joined = concat.mock.results.map(({ value }) => (value as Buffer).length);
  expect(joined.reduce((sum, each) => sum + each, 0)).toBeLessThan(2 * large.length);
  socket.end();
});

it('frames are read in pieces of any size, and a broken stream ends the connection', async () => {
  const folder = await createFolder();
  const frames: unknown[] = [];
  const ended: string[] = [];
  const server = createServer((socket) => {
    readFrames(socket, (frame) => frames.push(frame));
    socket.on('error', (error) => ended.push(error.message));
  });
  await new Promise<void>((resolve) => server.listen(`${folder}/frames.sock`, resolve));
  onTestFinished(() => void server.close());
  const body = serialize({ amount: 5n, none: undefined });
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  const socket = connect(`${folder}/frames.sock`);
  socket.on('error', () => {});
  for (const byte of Buffer.concat([header, body, header, body])) {
    await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
  }
  await eventually(() => expect(frames).toEqual(Array(2).fill({ amount: 5n, none: undefined })));
  socket.write(Buffer.from([255, 255, 255, 255]));
  await eventually(() => expect(ended[0]).toContain('a frame of'));
});
