// A small SoftSwiss wallet in memory, into which a test plants one bug at a time.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SendRequest } from '../../../src/certify/send-request.ts';

export type Bug =
  | 'rounds fine amounts'
  | 'rounds to tenths'
  | 'forgets tombstones'
  | 'applies half a batch'
  | 'answers a repeat with the present balance'
  | 'answers a repeat with another id'
  | 'takes a repeated bet again'
  | 'checks the signature after parsing'
  | 'checks no signature'
  | 'lets a reversal overdraw'
  | 'answers bad input with 500'
  | 'shows no balance without funds'
  | 'accepts every stake'
  | 'dies';

interface Leg {
  readonly id_provider: string;
  readonly type: 'bet' | 'win' | 'rollback';
  readonly amount?: string;
  readonly original_id_provider?: string;
}

interface Body {
  readonly account_id: string;
  readonly currency: string;
  readonly round_id?: string;
  readonly round_id_provider?: string;
  readonly transactions?: readonly Leg[];
}

interface Applied {
  readonly content: string;
  readonly id: string;
  /** The change of the balance in cents. */
  readonly change: number;
  readonly balance: number;
  isRolledBack: boolean;
}

class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const token = 'small-token';
const maxStakeCents = 5000;

export interface SmallWallet {
  readonly token: string;
  /** In cents. */
  readonly balance: () => number;
  /** Answers a request without HTTP, which takes a tenth of the time. */
  readonly send: SendRequest;
}

/** The wallet of the player `ann`. `balance` is in cents; `hasLimit` sets a maximum stake of 50.00. */
export interface SmallWalletTerms {
  readonly hasLimit?: boolean;
  readonly balance?: number;
}

export function createSmallWallet(bug?: Bug, wanted: SmallWalletTerms = {}): SmallWallet {
  const { answer, balance } = createWallet(bug, wanted);
  const send: SendRequest = async ({ path, headers, body: bytes }) => {
    const { status, body } = answer(path, bytes, String(headers['x-request-sign']));
    return { status, text: JSON.stringify(body) };
  };
  return { token, balance, send };
}

export type ServedWallet = SmallWallet & { readonly url: string; close(): Promise<void> };

/** Serves a small wallet over HTTP. One that `dies` resets all connections after ten requests. */
export async function serveSmallWallet(bug?: Bug, wanted: SmallWalletTerms = {}): Promise<ServedWallet> {
  const wallet = createSmallWallet(bug, wanted);
  let requests = 0;
  const server = createServer(async (request, response) => {
    if (bug === 'dies' && ++requests > 10) {
      request.socket.destroy();
      return;
    }
    const { method = '', url = '', headers } = request;
    const { pathname: path, search } = new URL(url, 'http://small');
    const body = await buffer(request);
    const { status, text } = await wallet.send({ method, path, query: search.slice(1), headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    ...wallet,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function createWallet(bug: Bug | undefined, { hasLimit = false, balance: start = 10_000 }: SmallWalletTerms) {
  let balance = start;
  let requests = 0;
  const applied = new Map<string, Applied>();
  const tombstones = new Set<string>();

  const toCents = (text: unknown): number => {
    const isRounded = bug === 'rounds fine amounts';
    const form = isRounded ? /^\d+(\.\d+)?$/ : /^\d+(\.\d{1,2})?$/;
    if (typeof text !== 'string' || !form.test(text)) throw new Refusal('400', 'not a valid decimal amount');
    const cents = Math.round(Number(text) * 100);
    if (cents === 0) throw new Refusal('400', 'must be greater than zero');
    return bug === 'rounds to tenths' ? Math.round(cents / 10) * 10 : cents;
  };

  const play = (leg: Leg): { id: string; balance: number } => {
    const id = leg.id_provider;
    if (!id) throw new Refusal('400', 'id_provider: is required');
    const cents = toCents(leg.amount);
    const content = `${leg.type} ${cents}`;
    const before = applied.get(id);
    if (before && before.content !== content) throw new Refusal('400', 'differs from the first request');
    if (before && bug !== 'takes a repeated bet again') return before;
    if (tombstones.has(id)) throw new Refusal('409', 'action already rolled back');
    const isTooHigh = hasLimit && bug !== 'accepts every stake' && cents > maxStakeCents;
    if (leg.type === 'bet' && isTooHigh) throw new Refusal('105', 'bet limit reached');
    if (leg.type === 'bet' && cents > balance) throw new Refusal('100', 'insufficient funds');
    const change = leg.type === 'bet' ? -cents : cents;
    balance += change;
    const entry = { content, id: `own-${id}`, change, balance, isRolledBack: false };
    applied.set(id, entry);
    return entry;
  };

  const rollBack = ({ id_provider: id, original_id_provider: of = '' }: Leg) => {
    const before = applied.get(id);
    if (before) return before;
    const original = applied.get(of);
    if (!original && bug !== 'forgets tombstones') tombstones.add(of);
    const isDue = original && !original.isRolledBack;
    const mayOverdraw = bug === 'lets a reversal overdraw';
    const change = isDue ? (mayOverdraw ? -original.change : Math.max(-original.change, -balance)) : 0;
    if (original) original.isRolledBack = true;
    balance += change;
    const entry = {
      content: `of ${of}`,
      id: original ? `own-${id}` : '',
      change,
      balance,
      isRolledBack: false,
    };
    applied.set(id, entry);
    return entry;
  };

  const carryOut = (path: string, body: Body) => {
    if (body.account_id !== 'ann') throw new Refusal('101', 'invalid player');
    if (body.currency !== 'EUR') throw new Refusal('154', 'currency not allowed');
    if (path === '/balance' || path === '/finish') return { balance: format(balance) };
    const legs = body.transactions ?? [];
    if (legs.length === 0) throw new Refusal('400', 'transactions: must have at least one item');
    const isRepeat = legs.every(({ id_provider: id }) => applied.has(id));
    const [savedBalance, saved] = [balance, new Map(applied)];
    try {
      const done = legs.map((leg) => (path === '/rollback' ? rollBack(leg) : play(leg)));
      const shown = bug === 'answers a repeat with the present balance' ? balance : done.at(-1)?.balance;
      return {
        round_id: 'r',
        balance: format(shown ?? 0),
        transactions: done.map(({ id }, at) => ({
          id_provider: legs[at]?.id_provider,
          id: isRepeat && bug === 'answers a repeat with another id' ? `${id}-${requests}` : id,
        })),
      };
    } catch (error) {
      if (bug !== 'applies half a batch') {
        balance = savedBalance;
        applied.clear();
        for (const [id, entry] of saved) applied.set(id, entry);
      }
      throw error;
    }
  };

  const answer = (path: string, bytes: Buffer, signature: string) => {
    requests++;
    const isSigned = signature === createHmac('sha256', token).update(bytes).digest('hex');
    const forged = new Refusal('403', 'invalid signature');
    try {
      const checksFirst = bug !== 'checks the signature after parsing' && bug !== 'checks no signature';
      if (checksFirst && !isSigned) throw forged;
      if (bytes.length > 64 * 1024) throw new Refusal('400', 'request body too large');
      const body = parse(bytes);
      if (bug !== 'checks no signature' && !isSigned) throw forged;
      return { status: 200, body: carryOut(path, body) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const status = bug === 'answers bad input with 500' && error.code === '400' ? 500 : 400;
      const isShown = error.code === '100' && bug !== 'shows no balance without funds';
      const shown = isShown ? { balance: format(balance) } : {};
      const meta = { api_code: error.code, api_message: error.message, ...shown };
      return { status, body: { code: 'invalid_argument', msg: error.message, meta } };
    }
  };

  return { answer, balance: () => balance };
}

function parse(bytes: Buffer): Body {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  } catch {
    // Refused below, like every other body that is not an object.
  }
  throw new Refusal('400', 'body: must be a JSON object');
}

const format = (cents: number): string => (cents / 100).toFixed(2);
