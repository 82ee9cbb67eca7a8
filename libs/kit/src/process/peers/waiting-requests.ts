// The requests that wait for the reply of another process.

/** The callbacks of a request. Exactly one of them is called, once. */
export interface ReplyHandler<Reply> {
  readonly onReply: (reply: Reply) => void;
  /** The other process will not reply. If `wasSent` is false, it has certainly not received the request. */
  readonly onLost: (wasSent: boolean) => void;
}

interface Waiting<Reply> extends ReplyHandler<Reply> {
  readonly since: number;
}

export interface WaitingRequests<Request, Reply> {
  readonly size: () => number;
  readonly countUnsent: () => number;
  add(request: Request, handler: ReplyHandler<Reply>): void;
  /** Marks up to `max` unsent requests as sent and returns them with their numbers. */
  takeUnsent(max: number): [id: number, request: Request][];
  /** Calls `onReply` of the sent request with this number. Does nothing if no such request waits. */
  resolve(id: number, reply: Reply): void;
  /** The time at which the oldest sent request was added. */
  findOldest(): number | undefined;
  loseUnsent(beforeMs?: number): void;
  loseSent(beforeMs?: number): void;
}

export function createWaitingRequests<Request, Reply>(): WaitingRequests<Request, Reply> {
  let lastId = 0;
  let unsent: { readonly waiting: Waiting<Reply>; readonly request: Request }[] = [];
  /** The sent requests by their numbers, the oldest first. */
  const sent = new Map<number, Waiting<Reply>>();
  return {
    size: () => sent.size + unsent.length,
    countUnsent: () => unsent.length,
    add: (request, { onReply, onLost }) => {
      unsent.push({ waiting: { since: performance.now(), onReply, onLost }, request });
    },
    takeUnsent: (max) =>
      unsent.splice(0, max).map(({ waiting, request }): [number, Request] => {
        sent.set(++lastId, waiting);
        return [lastId, request];
      }),
    resolve: (id, reply) => {
      const waiting = sent.get(id);
      if (waiting && sent.delete(id)) waiting.onReply(reply);
    },
    findOldest: () => {
      const [oldest] = sent.values();
      return oldest?.since;
    },
    loseUnsent: (beforeMs = Number.POSITIVE_INFINITY) => {
      const lost = unsent.filter(({ waiting }) => waiting.since < beforeMs);
      if (lost.length === 0) return;
      unsent = unsent.slice(lost.length);
      for (const { waiting } of lost) waiting.onLost(false);
    },
    loseSent: (beforeMs = Number.POSITIVE_INFINITY) => {
      for (const [id, { since, onLost }] of sent) {
        if (since >= beforeMs) return;
        sent.delete(id);
        onLost(true);
      }
    },
  };
}
