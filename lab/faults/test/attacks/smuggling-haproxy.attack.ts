// A request hidden in another is not served behind HAProxy either, which parses requests differently.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Front, isHaproxyInstalled, startHaproxy } from './haproxy.ts';
import { hurry, sendRaw } from './raw.ts';
import { openSmuggler, type Smuggler, smuggledTitles } from './smuggler.ts';

describe.skipIf(!isHaproxyInstalled)('behind HAProxy (skipped where it is not installed)', () => {
  let smuggler: Smuggler;
  let front: Front;
  let seen: IncomingMessage[] = [];
  beforeAll(async () => {
    smuggler = await openSmuggler();
    const { server, port } = smuggler.target;
    hurry(server);
    front = await startHaproxy(port);
    server.prependListener('request', (request: IncomingMessage) => seen.push(request));
  });
  afterAll(async () => {
    await front.close();
    await smuggler.target.close();
  });

  it.each(smuggledTitles)('%s: service and proxy see the same requests', async (title) => {
    seen = [];
    const answer = await smuggler.smuggle(front.port, title, `behind ${title}`);
    expect(answer.isClosed).toBe(true);
    // The proxy marks every request that it sees; a hidden one has no mark.
    expect(seen.filter((request) => request.headers['x-front'] !== 'yes')).toEqual([]);
    expect(answer.statuses.length).toBeLessThanOrEqual(2);
    const next = await sendRaw(front.port, smuggler.createPlayer(`next ${title}`));
    expect(next.statuses).toEqual([201]);
  });
});
