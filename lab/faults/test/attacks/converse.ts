// Plays a conversation with a service and returns everything that can be observed.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conversation } from './conversations.ts';
import type { Peer, SocketServer } from './socket-server.ts';

export interface Outcome {
  /** The received bytes without request ids and dates. */
  readonly text: string;
  readonly executed: readonly string[];
  /** Whether the service closed the connection before the client did. */
  readonly isClosed: boolean;
}

/**
 * If nothing changes for this number of iterations of the event loop, the service is assumed to wait for the
 * client.
 */
const quietTurns = 4;

const clean = (text: string) => text.replace(/req_[\w-]{36}/g, 'REQUEST').replace(/^Date: [^\r]+/gm, 'Date');

export async function converse(server: SocketServer, { pieces, end }: Conversation): Promise<Outcome> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  const setClosed = () => {
    isClosed = true;
  };
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.once('end', setClosed);
  socket.once('close', setClosed);
  await once(socket, 'connect');
  const port = socket.localPort ?? 0;
  while (!server.peers.has(port)) await nextTurn();
  const peer = server.peers.get(port) as Peer;
  const { executed } = peer;
  let sent = 0;

  const untilQuiet = async () => {
    let [quiet, seen] = [0, ''];
    // A busy kernel delivers bytes late, so an iteration counts only if both sides have received all bytes.
    while (quiet < quietTurns && !isClosed) {
      await nextTurn();
      const { bytesRead, bytesWritten, destroyed, writableEnded } = peer.socket;
      const now = `${received.length} ${executed.length} ${peer.pending} ${bytesRead}`;
      const isClosing = destroyed || writableEnded;
      const isRead = !isClosing && bytesRead >= sent && received.length >= bytesWritten;
      quiet = now === seen && isRead && peer.pending === 0 ? quiet + 1 : 0;
      seen = now;
    }
  };
  for (const piece of pieces) {
    if (isClosed) break;
    socket.write(piece);
    sent += piece.length;
    await untilQuiet();
  }
  const byService = isClosed;
  if (end === 'reset') socket.resetAndDestroy();
  else socket.end();
  await closed;
  while (server.peers.has(port)) await nextTurn();
  return { text: clean(received), executed, isClosed: byService };
}
