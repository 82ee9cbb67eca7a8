// The connection to another process of the same service, which takes requests and replies to them.
import { connect, type Socket } from 'node:net';
import { readFrames, writeFrame } from './frames.ts';
import { type ReplyFrame, type RequestFrame, readMachineMs } from './peer-messages.ts';

/** The callbacks of a request. Exactly one of them is called, once. */
export interface ReplyHandler<Reply> {
  readonly onReply: (reply: Reply) => void;
  /** The other process will not reply. If `wasSent` is false, it has certainly not received the request. */
  readonly onLost: (wasSent: boolean) => void;
}

export interface Peer<Request, Reply> {
  readonly number: number;
  /** Whether the other process takes requests: it is connected, answers, and is not about to stop. */
  isOpen(): boolean;
  /** Whether so many requests wait that no further request may be sent now. */
  isFull(): boolean;
  send(request: Request, handler: ReplyHandler<Reply>): void;
  /** Resolves when no request waits for its reply. */
  drain(): Promise<void>;
  /** Closes the connection. Requests that still wait are lost. */
  close(): void;
}

export interface PeerOptions {
  readonly number: number;
  readonly path: string;
  /** Called when `isOpen` may have changed. */
  readonly onChange: () => void;
  /** A sent request that has no reply after this time is lost. */
  readonly replyWithinMs: number;
  /** A request that could not be sent for this time is lost. */
  readonly sendWithinMs: number;
  /** If requests wait and no reply has come for this time, the process counts as not open. */
  readonly maxSilenceMs: number;
  readonly maxWaiting?: number;
  readonly tickMs?: number;
}

interface Waiting<Reply> extends ReplyHandler<Reply> {
  readonly id: number;
  readonly since: number;
}

/** This many requests are sent at once, without waiting for the end of the tick. */
const eagerRequests = 128;
const retryMs = 200;

export function createPeer<Request, Reply>(options: PeerOptions): Peer<Request, Reply> {
  const { onChange, replyWithinMs, sendWithinMs, maxSilenceMs, maxWaiting = 8192, tickMs = 100 } = options;
  let socket: Socket | undefined;
  /** The connection exists, and the other process has not announced its end on it. */
  let isWelcome = false;
  let isSilent = false;
  let isClosed = false;
  let hasRoom = true;
  let lastId = 0;
  let lastReplyAt = 0;
  let isDue = false;
  let unsent: [Waiting<Reply>, Request][] = [];
  /** The sent requests by id, oldest first. */
  const sent = new Map<number, Waiting<Reply>>();
  let drained: (() => void)[] = [];

  const resolveDrained = () => {
    if (sent.size + unsent.length > 0) return;
    for (const resolve of drained.splice(0)) resolve();
    // The other process ends only after its peers have closed their connections.
    if (!isWelcome && socket?.writable) socket.end();
  };
  const loseUnsent = (lost: typeof unsent) => {
    unsent = unsent.slice(lost.length);
    for (const [{ onLost }] of lost) onLost(false);
  };
  const flush = () => {
    isDue = false;
    if (!socket || !isWelcome) {
      loseUnsent(unsent);
      resolveDrained();
      return;
    }
    if (!hasRoom || unsent.length === 0) return;
    const requests = unsent.map(([{ id }, request]) => [id, request] as const);
    for (const [waiting] of unsent) sent.set(waiting.id, waiting);
    unsent = [];
    hasRoom = writeFrame(socket, { sentAtMs: readMachineMs(), requests } satisfies RequestFrame<Request>);
  };
  const read = ({ replies, isLeaving }: ReplyFrame<Reply>) => {
    lastReplyAt = performance.now();
    if (isLeaving) isWelcome = false;
    if (isLeaving || isSilent) {
      isSilent = false;
      onChange();
    }
    for (const [id, reply] of replies) {
      const waiting = sent.get(id);
      if (waiting && sent.delete(id)) waiting.onReply(reply);
    }
    if (isLeaving) flush();
    resolveDrained();
  };
  const open = () => {
    if (isClosed) return;
    const opened = connect({ path: options.path });
    opened.on('connect', () => {
      socket = opened;
      isWelcome = true;
      hasRoom = true;
      onChange();
    });
    opened.on('drain', () => {
      hasRoom = true;
      flush();
    });
    readFrames(opened, (frame) => read(frame as ReplyFrame<Reply>));
    // The event `close` follows, which says everything: an error means only that there is no connection.
    opened.on('error', () => {});
    opened.on('close', () => {
      if (socket === opened) {
        socket = undefined;
        isWelcome = false;
        isSilent = false;
        onChange();
        const lost = [...sent.values()];
        sent.clear();
        for (const { onLost } of lost) onLost(true);
        flush();
      }
      setTimeout(open, retryMs).unref();
    });
    opened.unref();
  };
  const rejectOverdue = () => {
    const nowMs = performance.now();
    for (const [id, { since, onLost }] of sent) {
      if (since >= nowMs - replyWithinMs) break;
      sent.delete(id);
      onLost(true);
    }
    resolveDrained();
  };
  const tick = setInterval(() => {
    const nowMs = performance.now();
    const [oldest] = sent.values();
    if (oldest && nowMs - Math.max(oldest.since, lastReplyAt) > maxSilenceMs && !isSilent) {
      isSilent = true;
      onChange();
    }
    loseUnsent(unsent.filter(([{ since }]) => since < nowMs - sendWithinMs));
    // `setImmediate` lets a busy process first read the replies that have already arrived.
    if (oldest && oldest.since < nowMs - replyWithinMs) setImmediate(rejectOverdue);
  }, tickMs);
  tick.unref();
  open();
  return {
    number: options.number,
    isOpen: () => isWelcome && !isSilent,
    isFull: () => !hasRoom || sent.size + unsent.length >= maxWaiting,
    send: (request, { onReply, onLost }) => {
      unsent.push([{ id: ++lastId, since: performance.now(), onReply, onLost }, request]);
      if (unsent.length >= eagerRequests) flush();
      else if (!isDue) {
        isDue = true;
        setImmediate(flush);
      }
    },
    drain: () =>
      sent.size + unsent.length === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => drained.push(resolve)),
    close: () => {
      isClosed = true;
      clearInterval(tick);
      socket?.destroy();
    },
  };
}
