// Plays a conversation with a service and returns everything that can be observed.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conversation } from './conversations.ts';

/** The service's side of one connection. */
export interface Peer {
  readonly socket: Socket;
  /** The bodies of the orders that were executed, in this sequence. */
  readonly executed: readonly string[];
  /** Whether the service is working on a request that will be answered without a release. */
  isWorking(): boolean;
  /** Whether orders of the connection are held until `release`. */
  isHolding(): boolean;
  /** Answers all held orders of the connection. */
  release(): void;
}

/** A service whose side of each connection can be observed. */
export interface Observed {
  readonly port: number;
  /** The open connections, by the port of the client. */
  readonly peers: ReadonlyMap<number, Peer>;
}

export interface Outcome {
  /** The received bytes without request ids, dates and signed licences. */
  readonly text: string;
  readonly executed: readonly string[];
  /** Whether the service closed the connection before the client did. */
  readonly isClosed: boolean;
  /** Whether the client closed the connection while orders were held. */
  readonly isCutShort: boolean;
  /** The bytes that another connection received although it sent nothing. */
  readonly stray: string;
}

/**
 * If nothing changes for this number of iterations of the event loop, the service is assumed to wait for the
 * client.
 */
const quietTurns = 4;

const clean = (text: string) =>
  text
    .replace(/req_[\w-]{36}/g, 'REQUEST')
    .replace(/^Date: [^\r]+/gm, 'Date')
    .replace(/\bnonce(-|=")[\w+/]{22}==/g, 'NONCE')
    .replace(/"licence":"[\w.-]+"/g, '"licence":"LICENCE"');

/** Whether the service has noticed the end of the client's bytes. A paused socket reports it only later. */
const hasSeenEnd = (socket: Socket) =>
  socket.destroyed || (socket as Socket & { _readableState: { ended: boolean } })._readableState.ended;

/** The client's side of one connection. */
class Client {
  readonly socket: Socket;
  received = '';
  isClosed = false;
  sent = 0;
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1').on('data', (text) => {
      this.received += text;
    });
    this.socket.on('error', () => {});
    const setClosed = () => {
      this.isClosed = true;
    };
    this.socket.once('end', setClosed);
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        setClosed();
        resolve();
      });
    });
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes);
    this.sent += bytes.length;
  }

  async untilQuiet(peer: Peer): Promise<void> {
    let [quiet, seen] = [0, ''];
    // A busy kernel delivers bytes late, so an iteration counts only if both sides have received all bytes.
    while (quiet < quietTurns && !this.isClosed) {
      await nextTurn();
      const { bytesRead, bytesWritten, destroyed, writableEnded } = peer.socket;
      const now = `${this.received.length} ${peer.executed.length} ${bytesRead}`;
      const isClosing = destroyed || writableEnded;
      const isRead = !isClosing && bytesRead >= this.sent && this.received.length >= bytesWritten;
      quiet = now === seen && isRead && !peer.isWorking() ? quiet + 1 : 0;
      seen = now;
    }
  }
}

/**
 * Waits until the service ends a connection that the client has ended. While a pipelined request is
 * incomplete, node:http does not notice the end before its time limit. Such a connection is destroyed.
 */
async function untilEnded(client: Client, peer: Peer): Promise<void> {
  const { socket } = peer;
  for (let quiet = 0; quiet < 4 * quietTurns && !socket.destroyed; ) {
    await nextTurn();
    const isReceived = client.isClosed || client.received.length >= socket.bytesWritten;
    quiet = isReceived && !peer.isWorking() && !socket.writableEnded ? quiet + 1 : 0;
  }
  socket.destroy();
}

async function open({ port, peers }: Observed) {
  const client = new Client(port);
  await once(client.socket, 'connect');
  const own = client.socket.localPort ?? 0;
  while (!peers.has(own)) await nextTurn();
  const peer = peers.get(own) as Peer;
  const untilClosed = async () => {
    await untilEnded(client, peer);
    await client.closed;
    while (peers.has(own)) await nextTurn();
  };
  return { client, peer, untilClosed };
}

/**
 * Answers the held orders of a closed connection, after another client has connected. node:http gives the
 * parser of a closed connection to the next connection. Returns the bytes that the other client receives.
 */
async function releaseClosed(observed: Observed, peer: Peer): Promise<string> {
  const { client, peer: next, untilClosed } = await open(observed);
  peer.release();
  await client.untilQuiet(next);
  client.socket.end();
  await untilClosed();
  return client.received;
}

export async function converse(observed: Observed, { steps, end }: Conversation): Promise<Outcome> {
  const { client, peer, untilClosed } = await open(observed);
  for (const step of steps) {
    if (client.isClosed) break;
    if (step === 'release') peer.release();
    else client.send(step);
    await client.untilQuiet(peer);
  }
  const { isClosed } = client;
  if (end === 'reset') client.socket.resetAndDestroy();
  else client.socket.end();
  while (!hasSeenEnd(peer.socket)) await nextTurn();
  const isCutShort = peer.isHolding();
  const stray = isCutShort ? await releaseClosed(observed, peer) : '';
  await untilClosed();
  return { text: clean(client.received), executed: peer.executed, isClosed, isCutShort, stray };
}
