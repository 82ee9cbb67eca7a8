// The messages between two processes that hand requests to each other.

/** The maximum number of requests or replies in a frame, so that no frame is longer than it may be. */
export const maxPerFrame = 512;

/** Requests with the numbers that identify them on their connection. */
export interface RequestFrame<Request> {
  /** The time at which the frame was sent, by `readMachineMs`. */
  readonly sentAtMs: number;
  readonly requests: readonly (readonly [id: number, request: Request])[];
}

/** Replies to requests. If `isLeaving` is true, the sender stops soon and accepts no further requests. */
export interface ReplyFrame<Reply> {
  readonly replies: readonly (readonly [id: number, reply: Reply])[];
  readonly isLeaving: boolean;
}

/** Milliseconds on a clock that never jumps and that all processes of one machine share. */
export function readMachineMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The socket of the process with this number. */
export const socketPathOf = (folder: string, number: number): string => `${folder}/${number}.sock`;
