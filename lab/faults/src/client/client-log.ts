// The client's log: one line before each attempt is sent, and one line for its answer.
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Answer, contentOf, keyOf, type Order } from './order.ts';

export interface Attempt {
  readonly sentAtMs: number;
  /** Undefined if the log ends before the answer. */
  readonly answeredAtMs?: number;
  readonly answer?: Answer;
}

/** One order with its attempts, in the sequence in which they were sent. */
export interface Call {
  readonly order: Order;
  readonly attempts: Attempt[];
}

export interface Read {
  readonly packageId: number;
  readonly player: string;
  readonly sentAtMs: number;
  /** The time of the answer, or the time when the client gave up. */
  readonly answeredAtMs: number;
  /** Undefined if no answer came. */
  readonly status?: number;
  /** Whether a 503 has a Retry-After header. */
  readonly retryAfter?: boolean;
  /** The exact balance; absent if the answer has none. */
  readonly balanceMinor?: bigint;
}

/**
 * A period in which no answer was possible, such as the time during which a signal had stopped the process.
 */
export interface Excuse {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface History {
  readonly calls: readonly Call[];
  readonly reads: readonly Read[];
  readonly excuses: readonly Excuse[];
}

export interface ClientLog {
  readonly path: string;
  /** The line is written before the request is sent, so an order that is not in the log was never sent. */
  sent(order: Order): number;
  answered(attempt: number, answer: Answer): void;
  read(read: Read): void;
  excuse(excuse: Excuse): void;
  close(): void;
}

type Line =
  | { sent: number; at: number; order: Order }
  | { answered: number; at: number; answer: Answer }
  | { read: Read }
  | { excuse: Excuse };

/** JSON has no bigint, so amounts are written as texts. Their field names end in `Minor`. */
const toText = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
const fromText = (key: string, value: unknown) => (key.endsWith('Minor') ? BigInt(value as string) : value);

export function openClientLog(path: string): ClientLog {
  const file = openSync(path, 'a');
  const write = (line: Line) => void writeSync(file, `${JSON.stringify(line, toText)}\n`);
  let attempts = 0;
  let isClosed = false;
  return {
    path,
    sent: (order) => {
      attempts++;
      write({ sent: attempts, at: performance.now(), order });
      return attempts;
    },
    answered: (attempt, answer) => write({ answered: attempt, at: performance.now(), answer }),
    read: (read) => write({ read }),
    excuse: (excuse) => write({ excuse }),
    close: () => {
      if (!isClosed) closeSync(file);
      isClosed = true;
    },
  };
}

export async function readHistory(path: string): Promise<History> {
  const calls = new Map<string, Call>();
  const attempts = new Map<number, { call: Call; index: number }>();
  const reads: Read[] = [];
  const excuses: Excuse[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = JSON.parse(text, fromText) as Line;
    if ('sent' in line) {
      const name = `${keyOf(line.order)} ${contentOf(line.order)}`;
      const call = calls.get(name) ?? { order: line.order, attempts: [] };
      calls.set(name, call);
      attempts.set(line.sent, { call, index: call.attempts.length });
      call.attempts.push({ sentAtMs: line.at });
    } else if ('answered' in line) {
      const { call, index } = attempts.get(line.answered) ?? lostLine(line.answered);
      const { sentAtMs } = call.attempts[index] ?? lostLine(line.answered);
      call.attempts[index] = { sentAtMs, answeredAtMs: line.at, answer: line.answer };
      attempts.delete(line.answered);
    } else if ('read' in line) reads.push(line.read);
    else excuses.push(line.excuse);
  }
  return { calls: [...calls.values()], reads, excuses };
}

function lostLine(attempt: number): never {
  throw new Error(`the client's log has an answer to attempt ${attempt}, but not the attempt`);
}
