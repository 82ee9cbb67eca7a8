// Simulates callers that move money without pause, repeat unanswered orders and record the answers.
import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Books } from './books.ts';

interface Order {
  readonly player_id: string;
  readonly type: 'credit' | 'debit';
  readonly amount: number;
  readonly transaction_id: string;
}

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly duplicate: boolean;
  /** The part of the answer that must be the same each time the order is sent. */
  readonly outcome: string;
}

export interface SettledOrder {
  readonly order: Order;
  readonly answer: Answer;
  readonly at: number;
}

export interface Load {
  readonly settled: readonly SettledOrder[];
  /** Orders without a final answer. */
  readonly open: () => readonly Order[];
  readonly counts: { retries: number; unreachable: number };
  send(order: Order, address?: string): Promise<Answer | undefined>;
  /** Sets the addresses that callers use alternately from now on. */
  moveTo(addresses: readonly string[]): void;
  stop(): Promise<void>;
}

const pauseMs = 100;
const patienceMs = 8000;

export function startLoad(options: { books: Books; addresses: readonly string[]; callers: number }): Load {
  const { books } = options;
  let { addresses } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: options.callers * 2 });
  const settled: SettledOrder[] = [];
  const open = new Map<string, Order>();
  const counts = { retries: 0, unreachable: 0 };
  let stopping = false;
  let sent = 0;

  const send: Load['send'] = (order, address) => {
    const at = address ?? addresses[sent++ % addresses.length] ?? '';
    return sendOrder(agent, at, books.headers, order);
  };

  const settle = async (order: Order): Promise<void> => {
    open.set(order.transaction_id, order);
    for (;;) {
      const answer = await send(order);
      if (answer && isFinal(answer)) {
        settled.push({ order, answer, at: performance.now() });
        open.delete(order.transaction_id);
        return;
      }
      counts.retries++;
      if (!answer) counts.unreachable++;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };

  const call = async (caller: number): Promise<void> => {
    for (let n = 1; !stopping; n++) await settle(makeOrder(books, `c${caller}-${n}`));
  };
  const running = Promise.all(Array.from({ length: options.callers }, (_, i) => call(i)));
  return {
    settled,
    open: () => [...open.values()],
    counts,
    send,
    moveTo: (next) => {
      addresses = next;
    },
    stop: async () => {
      stopping = true;
      await running;
      agent.destroy();
    },
  };
}

const makeOrder = (books: Books, id: string): Order => ({
  player_id: books.players[randomInt(books.players.length)] ?? '',
  type: randomInt(2) === 0 ? 'credit' : 'debit',
  amount: randomInt(1, 500) / 100,
  transaction_id: id,
});

/** After an answer that is not final, the caller repeats the order with the same id. */
const isFinal = ({ status }: Answer): boolean =>
  status < 500 && status !== 408 && status !== 429 && status !== 0;

function sendOrder(
  agent: Agent,
  address: string,
  headers: Readonly<Record<string, string>>,
  order: Order,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const url = new URL('/api/v1/user/update_balance', address);
    const options = { agent, method: 'POST', headers, timeout: patienceMs };
    const asked = request(url, options, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', () => resolve(undefined));
      answer.on('end', () => resolve(readAnswer(answer.statusCode ?? 0, Buffer.concat(parts))));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end(JSON.stringify(order));
  });
}

interface Body {
  readonly code?: string;
  readonly data?: { readonly duplicate?: boolean } & Readonly<Record<string, unknown>>;
}

/** Returns undefined for a body that is not JSON, such as a proxy's error page. */
function readAnswer(status: number, bytes: Buffer): Answer | undefined {
  try {
    const { code, data } = JSON.parse(bytes.toString('utf8')) as Body;
    const { duplicate = false, ...rest } = data ?? {};
    return { status, code, duplicate, outcome: JSON.stringify({ status, code, ...rest }) };
  } catch {
    return undefined;
  }
}
