// Serving plain requests from the socket gives the same answers and effects as serving them with node:http.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Conversation, conversations, cutAt } from './conversations.ts';
import { converse } from './converse.ts';
import { report, seed, size } from './sizes.ts';
import { openSocketServer, type SocketServer } from './socket-server.ts';

let fromSockets: SocketServer;
let fromHttp: SocketServer;
beforeAll(async () => {
  [fromSockets, fromHttp] = await Promise.all([openSocketServer(true), openSocketServer(false)]);
});
afterAll(async () => {
  await Promise.all([fromSockets.close(), fromHttp.close()]);
});

/** The number of conversations at the same time. */
const together = 50;

/** The time limit of a full run, which takes longer than the default time limit of a test. */
const maxMs = 3 * 3_600_000;

const print = ({ pieces, end }: Conversation) =>
  `${end} ${JSON.stringify(pieces.map((piece) => piece.toString('latin1')))}`;

/** Plays the conversation with both services, and expects that a client sees no difference. */
async function compare(conversation: Conversation): Promise<void> {
  const [one, other] = await Promise.all([
    converse(fromSockets, conversation),
    converse(fromHttp, conversation),
  ]);
  expect(one, print(conversation)).toEqual(other);
}

it('a request that is cut at any byte gets the same answer as with node:http', async () => {
  const all: Conversation[] = [];
  for (let at = 1, next = cutAt(at); next; next = cutAt(++at)) all.push(next);
  expect(all.length).toBeGreaterThan(100);
  await Promise.all(all.map(compare));
});

it(
  'changed, pipelined and cut requests have the same answers and effects as with node:http',
  async () => {
    const before = { sockets: fromSockets.parsed(), http: fromHttp.parsed() };
    const cases = size(800, 200_000);
    let pieces = 0;
    for (let at = 0; at < cases; at += together) {
      const group = fc.sample(conversations, { numRuns: Math.min(together, cases - at), seed: seed + at });
      for (const each of group) pieces += each.pieces.length;
      await Promise.all(group.map(compare));
    }
    const parsed = { sockets: fromSockets.parsed() - before.sockets, http: fromHttp.parsed() - before.http };
    const served = parsed.http - parsed.sockets;
    report(
      `${cases} conversations with ${pieces} pieces (seed ${seed}): node:http parsed ${parsed.http} ` +
        `requests without and ${parsed.sockets} with the socket, which served ${served}`,
    );
    expect(served).toBeGreaterThan(parsed.http * 0.1);
    expect([fromSockets.app.inFlight.count, fromHttp.app.inFlight.count]).toEqual([0, 0]);
  },
  maxMs,
);
