// The connection over which this process sends requests to another process of the service and gets replies.
import type { Socket } from 'node:net';
import { writeFrame } from './frames.ts';
import { maxPerFrame, type ReplyFrame, type RequestFrame, readMachineMs } from './peer-messages.ts';
import { openReconnectingSocket } from './reconnecting-socket.ts';
import { createWaitingRequests, type ReplyHandler, type WaitingRequests } from './waiting-requests.ts';

export interface Peer<Request, Reply> {
  /** Whether the other process takes requests: it is connected, responds, and is not about to stop. */
  isOpen(): boolean;
  /** Whether no further request may be sent now: 8,192 requests wait, or the socket has no room. */
  isFull(): boolean;
  send(request: Request, handler: ReplyHandler<Reply>): void;
  /** Resolves when no request waits for its reply. */
  drain(): Promise<void>;
  /** Closes the connection. Requests that still wait are lost. */
  close(): void;
}

export interface PeerLimits {
  /** A sent request that has no reply after this time is lost. */
  readonly replyWithinMs: number;
  /** A request that could not be sent for this time is lost. */
  readonly sendWithinMs: number;
  /** If requests wait and the process has sent nothing for this time, it counts as not open. */
  readonly maxSilenceMs: number;
}

export interface PeerOptions extends PeerLimits {
  readonly path: string;
  /** Called when `isOpen` may have changed. */
  readonly onChange: () => void;
}

/** The maximum number of requests that wait for one process. */
const maxWaiting = 8192;
/** If this number of requests is unsent, they are sent without waiting for the end of the tick. */
const eagerRequests = 128;
const tickMs = 100;

type State = 'no connection' | 'open' | 'leaving' | 'silent';

export function createPeer<Request, Reply>(options: PeerOptions): Peer<Request, Reply> {
  const requests = createWaitingRequests<Request, Reply>();
  const sender = createSender(requests, () => (state === 'leaving' ? undefined : link.find()));
  let state: State = 'no connection';
  let lastFrameAt = 0;
  let drained: (() => void)[] = [];
  const enter = (next: State) => {
    if (state === next) return;
    state = next;
    options.onChange();
  };
  const resolveDrained = () => {
    if (requests.size() > 0) return;
    for (const resolve of drained) resolve();
    drained = [];
    // A process that leaves ends only after the others have ended their connections to it.
    if (state === 'leaving') link.find()?.end();
  };
  const link = openReconnectingSocket({
    path: options.path,
    onOpen: () => {
      sender.setRoom();
      enter('open');
    },
    onFrame: (frame) => {
      const { replies, isLeaving } = frame as ReplyFrame<Reply>;
      lastFrameAt = performance.now();
      if (isLeaving) enter('leaving');
      else if (state === 'silent') enter('open');
      for (const [id, reply] of replies) requests.resolve(id, reply);
      if (isLeaving) sender.flush();
      resolveDrained();
    },
    onDrain: sender.setRoom,
    onLost: () => {
      enter('no connection');
      requests.loseSent();
      requests.loseUnsent();
      resolveDrained();
    },
  });
  const stopLosing = loseOverdue(requests, options, (oldest) => {
    const isSilent = performance.now() - Math.max(oldest, lastFrameAt) > options.maxSilenceMs;
    if (isSilent && state === 'open') enter('silent');
    resolveDrained();
  });
  return {
    isOpen: () => state === 'open',
    isFull: () => !sender.hasRoom() || requests.size() >= maxWaiting,
    send: (request, handler) => {
      requests.add(request, handler);
      sender.wake();
    },
    drain: () => (requests.size() === 0 ? Promise.resolve() : new Promise((done) => drained.push(done))),
    close: () => {
      stopLosing();
      link.close();
    },
  };
}

/** Sends the requests of one event loop tick together. `findSocket` finds the connection for requests. */
function createSender<Request, Reply>(
  requests: WaitingRequests<Request, Reply>,
  findSocket: () => Socket | undefined,
) {
  let hasRoom = true;
  let isDue = false;
  const flush = () => {
    isDue = false;
    const socket = findSocket();
    if (!socket) requests.loseUnsent();
    while (socket && hasRoom && requests.countUnsent() > 0) {
      const taken = requests.takeUnsent(maxPerFrame);
      hasRoom = writeFrame(socket, {
        sentAtMs: readMachineMs(),
        requests: taken,
      } satisfies RequestFrame<Request>);
    }
  };
  return {
    flush,
    hasRoom: () => hasRoom,
    setRoom: () => {
      hasRoom = true;
      flush();
    },
    wake: () => {
      if (requests.countUnsent() >= eagerRequests) flush();
      else if (!isDue) {
        isDue = true;
        setImmediate(flush);
      }
    },
  };
}

/** Loses the requests that have waited too long, and calls `onTick` while sent requests wait. */
function loseOverdue(
  requests: Pick<WaitingRequests<never, never>, 'loseSent' | 'loseUnsent' | 'findOldest'>,
  { replyWithinMs, sendWithinMs }: PeerLimits,
  onTick: (oldest: number) => void,
): () => void {
  const timer = setInterval(() => {
    const nowMs = performance.now();
    requests.loseUnsent(nowMs - sendWithinMs);
    const oldest = requests.findOldest();
    if (oldest === undefined) return;
    // `setImmediate` lets a busy process first read the replies that have already arrived.
    setImmediate(() => {
      requests.loseSent(nowMs - replyWithinMs);
      onTick(oldest);
    });
  }, tickMs);
  timer.unref();
  return () => clearInterval(timer);
}
