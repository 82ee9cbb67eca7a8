// Compares a small service with and without requests served from sockets.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareConversation, type Pair, printConversation } from './compare-conversations.ts';
import { type Conversation, listSystematic, makeConversations, writePlain } from './conversations.ts';
import { report, seed } from './sizes.ts';
import { openSocketServer, orderRequests, plainOrder, type SocketServer } from './socket-server.ts';

/** The number of conversations at the same time. */
const together = 50;

/** The time limit of a full run, which takes longer than the default time limit of a test. */
const maxMs = 3 * 3_600_000;

const conversations = makeConversations(orderRequests);

/** A request is cut or changed at each of its bytes. */
const systematic = listSystematic(orderRequests, plainOrder, {
  plain: '{"id":1}',
  held: '{"id":1,"hold":1}',
});

export function* groupSystematic(): Generator<readonly Conversation[]> {
  for (let at = 0; at < systematic.length; at += together) yield systematic.slice(at, at + together);
}

/** Generates conversations in groups until the conversations contain this number of changed requests. */
export function* groupConversations(changed: number): Generator<readonly Conversation[]> {
  for (let at = 0, done = 0; done < changed; at += together) {
    const group = fc.sample(conversations, { numRuns: together, seed: seed + at });
    for (const each of group) done += each.changed;
    yield group;
  }
}

/** Compares the services until their conversations contain this number of changed requests. */
export function describeOrders(changed: number): void {
  describe('a small service', () => {
    let fromSockets: SocketServer;
    let fromHttp: SocketServer;
    let pair: Pair;
    beforeAll(async () => {
      [fromSockets, fromHttp] = await Promise.all([openSocketServer(true), openSocketServer(false)]);
      pair = { fromSockets, fromHttp };
    });
    afterAll(async () => {
      await Promise.all([fromSockets.close(), fromHttp.close()]);
    });

    /** Expects that a client sees no difference. */
    async function compare(conversation: Conversation): Promise<boolean> {
      const { one, other, result } = await compareConversation(pair, conversation);
      if (result === 'different') expect(one, printConversation(conversation)).toEqual(other);
      return result === 'similar';
    }

    it('a request that is cut or changed at any byte gets the same answer as with node:http', async () => {
      expect(systematic.length).toBeGreaterThan(200);
      expect(await Promise.all(systematic.map(compare))).not.toContain(true);
    });

    it('a refusal that waits for another answer may close the connection of one service only', async () => {
      const order = (body: string) => writePlain(plainOrder, body);
      const refused = Buffer.from('OPTIONS * HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
      const pieces = [refused.subarray(0, -2), refused.subarray(-2)];
      const steps = [
        order('{"id":1}'),
        order('{"hold":1}'),
        ...pieces,
        'release',
        order('{"id":2}'),
      ] as const;
      const { one, other, result } = await compareConversation(pair, {
        ...{ steps, end: 'close', requests: 4, changed: 1 },
      });
      expect([one, other, result]).toMatchObject([{ isClosed: true }, { isClosed: false }, 'similar']);
    });

    it(
      'changed, pipelined and cut requests have the same answers and effects as with node:http',
      async () => {
        const before = { sockets: fromSockets.parsed(), http: fromHttp.parsed() };
        const sum = { conversations: 0, requests: 0, changed: 0, similar: 0 };
        for (const group of groupConversations(changed)) {
          const similar = await Promise.all(group.map(compare));
          sum.conversations += group.length;
          sum.similar += similar.filter(Boolean).length;
          for (const each of group) {
            sum.requests += each.requests;
            sum.changed += each.changed;
          }
        }
        const http = fromHttp.parsed() - before.http;
        const served = http - (fromSockets.parsed() - before.sockets);
        report(
          `${sum.conversations} conversations with ${sum.requests} requests, of which ${sum.changed} were ` +
            `changed, cut or pipelined (seed ${seed}): node:http parsed ${http} requests, of ` +
            `which the socket served ${served}; ` +
            `${sum.similar} conversations differed in an allowed way`,
        );
        expect(served).toBeGreaterThan(http * 0.1);
        expect(sum.similar).toBeLessThan(sum.conversations * 0.05);
        expect([fromSockets.app.inFlight.count, fromHttp.app.inFlight.count]).toEqual([0, 0]);
      },
      maxMs,
    );
  });
}
