// Calls the wallet like customers and the provider do. Each call is one attempt; nothing is retried
// automatically.
import { Agent, request } from 'node:http';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { ClientLog } from './client-log.ts';
import type { Answer, Order, Outcome } from './order.ts';

export const currency = 'EUR';

/**
 * How long the client waits for an answer. It waits longer than the deadline, so that the log contains late
 * answers.
 */
const patienceMs = 20_000;

export interface Caller {
  readonly caller: Readonly<Record<string, string>>;
  readonly callback: Readonly<Record<string, string>>;
}

export interface Client {
  /** Sends one attempt to this address. */
  send(url: string, order: Order): Promise<Answer>;
  /** Reads the player's balance; returns undefined if the answer does not contain it. */
  readBalance(url: string, order: Pick<Order, 'packageId' | 'player'>): Promise<bigint | undefined>;
  close(): void;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: ReturnType<typeof JSON.parse>;
}

export function createClient(options: { log: ClientLog; headers: Caller }): Client {
  const { log, headers } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  return {
    send: async (url, order) => {
      const isCallback = !['credit', 'debit'].includes(order.kind);
      const path = isCallback ? '/api/v1/game/callback' : '/api/v1/user/update_balance';
      const attempt = log.sent(order);
      const answer = await call(agent, {
        url: `${url}${path}`,
        headers: isCallback ? headers.callback : headers.caller,
        body: isCallback ? writeCallback(order) : writeUpdate(order),
      }).then(classify, classifyLoss);
      log.answered(attempt, answer);
      return answer;
    },
    readBalance: async (url, { packageId, player }) => {
      const sentAtMs = performance.now();
      const query = `player_id=${encodeURIComponent(player)}`;
      const asked = { url: `${url}/api/v1/user/balance?${query}`, headers: headers.caller };
      const reply = await call(agent, asked).catch(() => undefined);
      const shown = reply && {
        status: reply.status,
        ...readRetryAfter(reply),
        ...readShown(reply),
      };
      log.read({ packageId, player, sentAtMs, answeredAtMs: performance.now(), ...shown });
      return shown?.balanceMinor;
    },
    close: () => agent.destroy(),
  };
}

const amountOf = ({ amountMinor }: Order) =>
  amountMinor === undefined ? undefined : toJsonNumber(amountMinor, currency);

const writeUpdate = (order: Order): string =>
  JSON.stringify({
    player_id: order.player,
    type: order.kind,
    amount: amountOf(order),
    transaction_id: order.id,
  });

const writeCallback = (order: Order): string =>
  JSON.stringify({
    action: order.kind,
    player_id: order.player,
    transaction_id: order.id,
    amount: amountOf(order),
    reference_transaction_id: order.reference,
    round_id: order.round,
  });

function call(
  agent: Agent,
  asked: { url: string; headers: Readonly<Record<string, string>>; body?: string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      asked.url,
      {
        agent,
        method: asked.body === undefined ? 'GET' : 'POST',
        headers: { ...asked.headers, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(patienceMs),
      },
      (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.once('error', reject);
        reply.once('end', () => {
          const body = parse(Buffer.concat(parts));
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body });
        });
      },
    );
    sent.once('error', reject);
    sent.end(asked.body);
  });
}

/** Parses the body. Returns undefined if the body is not JSON; the checker then uses only the status. */
function parse(bytes: Buffer): Reply['body'] {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/**
 * A refused connection carried no request. If an established connection broke, the request may have arrived.
 */
function classifyLoss(error: NodeJS.ErrnoException): Answer {
  return error.code === 'ECONNREFUSED'
    ? { outcome: { kind: 'turned_away', code: 'connection_refused' } }
    : { outcome: { kind: 'unknown', reason: error.code ?? error.message } };
}

const classify = (reply: Reply): Answer => ({
  outcome: classifyOutcome(reply.status, reply.body),
  status: reply.status,
  ...readRetryAfter(reply),
});

const readRetryAfter = ({ status, headers }: Reply): { retryAfter?: boolean } =>
  status === 503 ? { retryAfter: headers['retry-after'] !== undefined } : {};

function readShown({ status, body }: Reply): { balanceMinor?: bigint } {
  const balanceMinor = status === 200 ? readMinor(body?.data?.balance) : undefined;
  return balanceMinor === undefined ? {} : { balanceMinor };
}

/** Of the refusals that these orders can get, the wallet stores exactly those with the status 402 or 422. */
function classifyOutcome(status: number, body: Reply['body']): Outcome {
  if (!body) return { kind: 'unknown', reason: 'an answer that is not JSON' };
  const code = String(body.code);
  if (status === 200) {
    const { balance, duplicate, result } = body.data;
    const balanceMinor = readMinor(balance);
    return {
      kind: 'acknowledged',
      duplicate,
      ...(balanceMinor !== undefined && { balanceMinor }),
      ...(result && { result }),
    };
  }
  if (code === 'outcome_unknown') return { kind: 'unknown', reason: code };
  if (status === 503 || status === 429 || status === 500) return { kind: 'turned_away', code };
  const final = status === 402 || status === 422;
  return { kind: 'refused', code, final, ...(final && readRefused(body.data)) };
}

function readRefused(data: Reply['body']): { balanceMinor?: bigint; duplicate?: boolean } {
  const balanceMinor = readMinor(data?.balance);
  return {
    ...(balanceMinor !== undefined && { balanceMinor }),
    ...(typeof data?.duplicate === 'boolean' && { duplicate: data.duplicate }),
  };
}

/** Returns undefined for an inexact amount, such as 0.30000000000000004. */
function readMinor(given: unknown): bigint | undefined {
  const [, sign = '', whole = '', cents = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(String(given)) ?? [];
  return whole === '' ? undefined : BigInt(`${sign}${whole}${cents.padEnd(2, '0')}`);
}
