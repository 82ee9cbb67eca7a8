// One connection whose plain requests are served from the socket. node:http serves all its other requests.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { cutHead, findBody, type KnownHead, measureMessage, prepareHead } from './known-head.ts';

/** The parts of a request that the fast path reads. */
export type PlainRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;

/** Sends one answer. */
export interface AnswerSink {
  /**
   * The headers are a flat list of names and values, with `content-length`. If `isLast` is true, the
   * connection is closed after the answer.
   */
  send(status: number, headers: readonly string[], body: string, isLast: boolean): void;
}

/**
 * Returns true if the request will be answered through `sink`. Returns false if nothing has changed and
 * node:http must serve the request.
 */
export type ServeFromSocket = (request: PlainRequest, body: Buffer, sink: AnswerSink) => boolean;

type DataListener = (this: Socket, chunk: Buffer) => void;

/** The bytes that node:http received since it was last idle, and the first request in these bytes. */
interface Exchange {
  readonly head: string | undefined;
  received: number;
  raw?: IncomingMessage;
  serve?: ServeFromSocket;
}

interface KnownRequest {
  readonly head: KnownHead;
  readonly request: PlainRequest;
  readonly serve: ServeFromSocket;
}

/** The maximum number of stored heads per connection. At most one head is stored for each fast path. */
const maxKnown = 4;

/**
 * Some clients and proxies send a different head with each request, for example with an id in it. A
 * connection may store this number of heads. Each request that is served from the socket adds the same
 * number. A connection that has stored all these heads is left to node:http.
 */
const headsPerServed = 16;

/**
 * The state of a connection:
 * - `idle`: node:http has no request and does not listen for data. The class decides who gets the next bytes.
 * - `routed`: node:http has a request and listens for data. The class only counts the bytes.
 * - `busy`: a request is being served from the socket. The next bytes wait.
 * - `left`: node:http serves this connection until its end, or the connection is closed.
 */
type State = 'idle' | 'routed' | 'busy' | 'left';

export class SocketConnection implements AnswerSink {
  readonly #server: Server;
  readonly #socket: Socket;
  readonly #toHttp: DataListener;
  readonly #mayServe: (socket: Socket) => boolean;
  #state: State = 'idle';
  #known: KnownRequest[] = [];
  #exchange: Exchange = { head: undefined, received: 0 };
  #waiting: Buffer | undefined;
  #idleMs = 0;
  #headsLeft = headsPerServed;

  /** Returns undefined if node:http does not listen for data in the expected way. */
  static open(
    server: Server,
    socket: Socket,
    mayServe: (socket: Socket) => boolean,
  ): SocketConnection | undefined {
    const [toHttp, ...others] = socket.listeners('data') as DataListener[];
    if (!toHttp || others.length > 0) return undefined;
    return new SocketConnection(server, socket, toHttp, mayServe);
  }

  private constructor(
    server: Server,
    socket: Socket,
    toHttp: DataListener,
    mayServe: (socket: Socket) => boolean,
  ) {
    this.#server = server;
    this.#socket = socket;
    this.#toHttp = toHttp;
    this.#mayServe = mayServe;
    socket.on('data', this.#receive);
    socket.removeListener('data', toHttp);
  }

  get isBusy(): boolean {
    return this.#state === 'busy';
  }

  /** node:http has parsed a request of this connection. */
  onRequest(raw: IncomingMessage, response: ServerResponse): void {
    if (this.#state !== 'routed' || this.#exchange.raw) return;
    this.#exchange.raw = raw;
    response.once('close', () => this.#settle(response));
  }

  /** The service accepts this request, so later requests with the same head may be served with `serve`. */
  accept(raw: IncomingMessage, serve: ServeFromSocket): void {
    if (this.#state === 'routed' && this.#exchange.raw === raw) this.#exchange.serve = serve;
  }

  /**
   * Makes `destroy` of the socket do nothing, so that closing the idle connections does not close this
   * connection.
   */
  protect(): void {
    this.#socket.destroy = () => this.#socket;
  }

  unprotect(): void {
    Reflect.deleteProperty(this.#socket, 'destroy');
  }

  readonly #receive = (chunk: Buffer): void => {
    if (this.#state === 'idle') this.#decide(chunk);
    else if (this.#state === 'routed') this.#exchange.received += chunk.length;
    else if (this.#state === 'busy') {
      this.#waiting = this.#waiting ? Buffer.concat([this.#waiting, chunk]) : chunk;
      this.#socket.pause();
    }
  };

  #decide(chunk: Buffer): void {
    if (!this.#serve(chunk)) this.#pass(chunk);
  }

  /** Returns true if the bytes are one request that is served from the socket. */
  #serve(chunk: Buffer): boolean {
    for (const { head, request, serve } of this.#known) {
      const bodyAt = findBody(head, chunk);
      if (bodyAt === -1) continue;
      const socket = this.#socket;
      // A client that does not read its answers is left to node:http, which has limits for such clients.
      if (!socket.writable || socket.writableLength > 0 || !this.#mayServe(socket)) return false;
      this.#state = 'busy';
      this.#idleMs = socket.timeout ?? 0;
      socket.setTimeout(0);
      if (serve(request, chunk.subarray(bodyAt), this)) {
        this.#headsLeft += headsPerServed;
        return true;
      }
      socket.setTimeout(this.#idleMs);
      this.#state = 'idle';
      return false;
    }
    return false;
  }

  /**
   * Gives these bytes and all later bytes to node:http, until node:http has answered the request in these
   * bytes.
   */
  #pass(chunk: Buffer): void {
    const socket = this.#socket;
    this.#state = 'routed';
    this.#exchange = { head: cutHead(chunk), received: chunk.length };
    socket.on('data', this.#toHttp);
    this.#toHttp.call(socket, chunk);
  }

  /**
   * node:http has answered the first request. If node:http has received no other bytes, the connection is
   * idle again.
   */
  #settle(response: ServerResponse): void {
    const { head, received, raw, serve } = this.#exchange;
    const socket = this.#socket;
    const isWhole =
      head !== undefined &&
      raw?.complete === true &&
      response.writableFinished &&
      received === measureMessage(head, raw) &&
      socket.writable &&
      !socket.isPaused();
    this.#exchange = { head: undefined, received: 0 };
    if (!isWhole || this.#headsLeft === 0) {
      this.#state = 'left';
      socket.removeListener('data', this.#receive);
      return;
    }
    this.#state = 'idle';
    socket.removeListener('data', this.#toHttp);
    if (serve) this.#store(head, raw, serve);
  }

  #store(text: string, raw: IncomingMessage, serve: ServeFromSocket): void {
    const head = prepareHead(text, raw);
    if (!head) return;
    this.#headsLeft--;
    const { method, url, headers, socket } = raw;
    const others = this.#known.filter((each) => each.serve !== serve).slice(0, maxKnown - 1);
    this.#known = [{ head, request: { method, url, headers, socket }, serve }, ...others];
  }

  send(status: number, headers: readonly string[], body: string, isLast: boolean): void {
    const socket = this.#socket;
    if (this.#state !== 'busy') throw new Error('a request was answered twice');
    const waiting = this.#waiting;
    this.#waiting = undefined;
    // node:http reuses the parser of a closed connection for another connection. So the waiting bytes of a
    // closed connection must not reach the parser. Like node:http, this class ignores them.
    if (!socket.writable) {
      this.#state = 'left';
      return;
    }
    this.#write(status, headers, body, isLast);
    if (isLast) {
      this.#state = 'left';
      socket.destroySoon();
      return;
    }
    socket.setTimeout(this.#idleMs);
    this.#state = 'idle';
    if (!waiting) return;
    // The socket is resumed first, because node:http may pause it again.
    socket.resume();
    this.#decide(waiting);
  }

  /** Writes the same bytes as node:http. */
  #write(status: number, headers: readonly string[], body: string, isLast: boolean): void {
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
    text += `Date: ${formatDate()}\r\n`;
    if (!isLast) {
      const { keepAliveTimeout } = this.#server;
      text += 'Connection: keep-alive\r\n';
      if (keepAliveTimeout) text += `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n`;
    }
    this.#socket.write(`${text}\r\n${body}`);
  }
}

let dateSecond = 0;
let dateText = '';

/** The value of the `Date` header, which changes once per second. */
function formatDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
