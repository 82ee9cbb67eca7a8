// A wallet for the provider's tests: an HTTP server that stores a balance and can misbehave.
import { createHmac, hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactEncrypt, compactDecrypt } from 'jose';

interface Received {
  readonly body: Record<string, unknown>;
  readonly raw: string;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
}

/** `late`: the callback is applied, but its answer is lost. `lost`: the callback itself is lost. */
export type Behaviour = 'answer' | 'late' | 'lost' | 'hang' | 'html' | 'forged' | number;

export const aesKey = Buffer.alloc(32, 7).toString('base64');

export interface TestWallet {
  readonly url: string;
  readonly received: Received[];
  balance: number;
  security: 'headers' | 'signed' | 'encrypted';
  /** The behaviours for the next callbacks, in order. The last behaviour applies to all later callbacks. */
  behaviours: Behaviour[];
  actions(): unknown[];
  close(): void;
}

const derive = (use: string) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(aesKey, 'base64'), '', `counterfoil/v1/${use}`, 32));

export async function openTestWallet(): Promise<TestWallet> {
  const seen = new Map<unknown, { status: number; content: Record<string, unknown> }>();
  const rolledBack = new Set<unknown>();
  const server = createServer((request, response) => void handle(request, response));
  // The provider must not use a connection that is being closed.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const apply = (body: Record<string, unknown>) => {
    if (body.action === 'balance') return { status: 200, content: ok('read') };
    const known = seen.get(body.transaction_id);
    if (known) return known;
    const result = decide(body);
    seen.set(body.transaction_id, result);
    return result;
  };
  const ok = (result: string) => ({
    status: 'success',
    data: { result, balance: wallet.balance },
    balance: wallet.balance,
  });
  const no = (status: number, code: string) => ({
    status,
    content: {
      status: 'error',
      code,
      msg: code,
      retryable: false,
      data: { balance: wallet.balance },
    },
  });
  function decide(body: Record<string, unknown>) {
    const amount = Number(body.amount ?? 0);
    if (body.action === 'bet') {
      if (rolledBack.has(body.transaction_id)) return no(409, 'bet_rolled_back');
      if (amount > wallet.balance) return no(422, 'insufficient_funds');
      wallet.balance -= amount;
    } else if (body.action === 'win') {
      if (!seen.has(body.reference_transaction_id)) return tooEarly;
      wallet.balance += amount;
    } else if (body.action === 'rollback') {
      const bet = seen.get(body.reference_transaction_id);
      rolledBack.add(body.reference_transaction_id);
      if (bet?.status !== 200) return { status: 200, content: ok('tombstoned') };
      wallet.balance += Number(bet.content.amount);
    }
    wallet.balance = Math.round(wallet.balance * 100) / 100;
    return { status: 200, content: { ...ok('applied'), amount } };
  }
  const tooEarly = {
    status: 404,
    content: { status: 'error', code: 'bet_not_found', msg: 'not yet', retryable: true },
  };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '';
    const text = await open(wallet.security, { raw, path, headers: request.headers });
    const body = JSON.parse(text) as Record<string, unknown>;
    const behaviour =
      (wallet.behaviours.length > 1 ? wallet.behaviours.shift() : wallet.behaviours[0]) ?? 'answer';
    wallet.received.push({ body, raw, headers: request.headers, path });
    if (behaviour === 'lost') return request.socket.destroy();
    if (behaviour === 'hang') return undefined;
    if (behaviour === 'html') return response.end('<h1>Gateway</h1>');
    if (typeof behaviour === 'number') {
      return answer(response, wallet.security, behaviour, { status: 'error', code: 'made_up' });
    }
    const { status, content } = apply(body);
    // A win that arrived before its bet is not stored as seen. So a repeat of the win is decided again.
    if (content === tooEarly.content) seen.delete(body.transaction_id);
    if (behaviour === 'late') return request.socket.destroy();
    return answer(response, behaviour === 'forged' ? 'headers' : wallet.security, status, content);
  }

  const wallet: TestWallet = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/game/callback`,
    received: [],
    balance: 100,
    security: 'headers',
    behaviours: ['answer'],
    actions: () => wallet.received.map(({ body }) => body.action),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return wallet;
}

/**
 * Decrypts or verifies a callback. This is a second implementation of the contract, which uses the library
 * `jose` for encryption; the provider does not.
 */
async function open(
  security: TestWallet['security'],
  message: { raw: string; path: string; headers: IncomingMessage['headers'] },
): Promise<string> {
  const { raw, path, headers } = message;
  if (security === 'headers') return raw;
  const now = Date.now() / 1000;
  if (security === 'encrypted') {
    if (headers['content-type'] !== 'application/jose')
      throw new Error('the content type is not application/jose');
    const { plaintext, protectedHeader } = await compactDecrypt(raw, derive('encrypt'));
    const text = Buffer.from(plaintext).toString('utf8');
    if (protectedHeader.alg !== 'dir' || protectedHeader.enc !== 'A256GCM') throw new Error('alg');
    if (Math.abs(JSON.parse(text).iat - now) > 300) throw new Error('iat');
    return text;
  }
  const [time = '', mac] = String(headers['x-signature']).replace('t=', '').split(',v1=');
  const wanted = createHmac('sha256', derive('sign')).update(`${time}.POST.${path}.${raw}`);
  if (mac !== wanted.digest('hex') || Math.abs(Number(time) - now) > 300) throw new Error('mac');
  return raw;
}

async function answer(
  response: ServerResponse,
  security: TestWallet['security'],
  status: number,
  content: object,
): Promise<void> {
  const unix = Math.floor(Date.now() / 1000);
  let text = JSON.stringify(content);
  response.statusCode = status;
  if (security === 'signed') {
    const mac = createHmac('sha256', derive('sign')).update(`${unix}.${status}.${text}`);
    response.setHeader('x-signature', `t=${unix},v1=${mac.digest('hex')}`);
  }
  if (security === 'encrypted') {
    const plain = Buffer.from(JSON.stringify({ ...content, iat: unix }));
    text = await new CompactEncrypt(plain)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(derive('encrypt'));
  }
  response.setHeader('content-type', security === 'encrypted' ? 'application/jose' : 'application/json');
  response.end(text);
}
