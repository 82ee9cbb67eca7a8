// Accepts requests from the other processes of a service and sends the replies.
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { readFrames, writeFrame } from './frames.ts';
import { maxPerFrame, type ReplyFrame, type RequestFrame, readMachineMs } from './peer-messages.ts';

export interface PeerService {
  /** Asks the other processes for no further requests. Requests that were sent already are still served. */
  leave(): void;
  /**
   * Resolves when all requests are answered and all connections have ended. After `withinMs`, the remaining
   * connections are closed.
   */
  close(withinMs: number): Promise<void>;
}

export interface ServePeersOptions<Request, Reply> {
  readonly path: string;
  /** `ageMs` is the time since the request was sent. The promise must not reject. */
  readonly handle: (request: Request, ageMs: number) => Promise<Reply>;
}

export async function servePeers<Request, Reply>(
  options: ServePeersOptions<Request, Reply>,
): Promise<PeerService> {
  const connections = new Set<Socket>();
  let isLeaving = false;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveConnection(socket, options.handle);
    if (isLeaving) sendLeaving(socket);
  });
  // Removes the socket of an earlier process with this number. That process has ended, because a number is
  // given to a new process only after its last process has ended.
  rmSync(options.path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Without `exclusive`, Node's cluster module would share the socket between all workers.
    server.listen({ path: options.path, exclusive: true }, resolve);
  });
  const leave = () => {
    if (isLeaving) return;
    isLeaving = true;
    for (const socket of connections) sendLeaving(socket);
  };
  return {
    leave,
    close: async (withinMs) => {
      leave();
      const timer = setTimeout(() => {
        for (const socket of connections) socket.destroy();
      }, withinMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(timer);
    },
  };
}

const sendLeaving = (socket: Socket) =>
  writeFrame(socket, { replies: [], isLeaving: true } satisfies ReplyFrame<never>);

/** While requests wait, a frame is sent at this interval, to show that this process responds. */
const aliveEveryMs = 250;

function serveConnection<Request, Reply>(
  socket: Socket,
  handle: ServePeersOptions<Request, Reply>['handle'],
): void {
  const replies: [number, Reply][] = [];
  let open = 0;
  let hasEnded = false;
  const write = (ready: readonly (readonly [number, Reply])[]) => {
    if (!socket.destroyed)
      writeFrame(socket, { replies: ready, isLeaving: false } satisfies ReplyFrame<Reply>);
  };
  const alive = setInterval(() => {
    if (open > 0) write([]);
  }, aliveEveryMs);
  const endIfDone = () => {
    if (hasEnded && open === 0) socket.end();
  };
  const flush = () => {
    open -= replies.length;
    while (replies.length > 0) write(replies.splice(0, maxPerFrame));
    endIfDone();
  };
  const reply = (id: number, content: Reply) => {
    // The requests of a batch are answered in one pass, so their replies share a frame.
    if (replies.push([id, content]) === 1) queueMicrotask(flush);
  };
  readFrames(socket, (frame) => {
    const { sentAtMs, requests } = frame as RequestFrame<Request>;
    const ageMs = readMachineMs() - sentAtMs;
    open += requests.length;
    for (const [id, request] of requests) {
      handle(request, ageMs).then((content) => reply(id, content));
    }
  });
  socket.on('end', () => {
    hasEnded = true;
    endIfDone();
  });
  // Every error is followed by the event `close`.
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(alive));
}
