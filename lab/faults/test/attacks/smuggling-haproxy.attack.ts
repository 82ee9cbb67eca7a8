// Sends hidden requests through HAProxy, which parses requests differently than Node. The service must serve
// none of the hidden requests.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Front, isHaproxyInstalled, startHaproxy } from './haproxy.ts';
import { sendRaw, shortenTimeouts } from './raw.ts';
import { openSmuggler, type Smuggler, smuggledTitles } from './smuggler.ts';

describe.skipIf(!isHaproxyInstalled)(
  'request smuggling through HAProxy (skipped if HAProxy is not installed)',
  () => {
    let smuggler: Smuggler;
    let front: Front;
    let seen: IncomingMessage[] = [];
    beforeAll(async () => {
      smuggler = await openSmuggler();
      const { server, port } = smuggler.target;
      shortenTimeouts(server);
      front = await startHaproxy(port);
      server.prependListener('request', (request: IncomingMessage) => seen.push(request));
    });
    afterAll(async () => {
      await front.close();
      await smuggler.target.close();
    });

    it.each(smuggledTitles)(
      '%s: the service receives only requests that the proxy has seen',
      async (title) => {
        seen = [];
        const answer = await smuggler.smuggle(front.port, title, `behind ${title}`);
        expect(answer.isClosed).toBe(true);
        // The proxy adds X-Front to every request that it sees. A hidden request does not have this header.
        expect(seen.filter((request) => request.headers['x-front'] !== 'yes')).toEqual([]);
        expect(answer.statuses.length).toBeLessThanOrEqual(2);
        const next = await sendRaw(front.port, smuggler.createPlayer(`next ${title}`));
        expect(next.statuses).toEqual([201]);
      },
    );
  },
);
