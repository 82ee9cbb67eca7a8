// A request hidden in another is never served, directly or behind a proxy that reads differently.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Front, isHaproxyInstalled, startHaproxy } from './haproxy.ts';
import { listOperations } from './operations.ts';
import { hurry, lines, sendRaw } from './raw.ts';
import { isWhole } from './sizes.ts';
import { listSmuggling } from './smuggled-requests.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

let target: Target;
let letters: string[];
beforeAll(async () => {
  target = await openWalletTarget();
  hurry(target.server);
  const create = listOperations(target.document).find(
    ({ title }) => title === 'POST /api/v1/user/create',
  );
  if (!create) throw new Error('there is no user/create');
  const { headers } = target.letters(create, 'own');
  letters = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
});
afterAll(() => target.close());

const titles = listSmuggling(['x'], 'y').map(([title]) => title);

const createPlayer = (playerId: string) => {
  const body = JSON.stringify({ player_id: playerId });
  const first = 'POST /api/v1/user/create HTTP/1.1';
  const type = 'Content-Type: application/json';
  const length = `Content-Length: ${body.length}`;
  return `${lines(first, 'Host: x', 'Connection: close', ...letters, type, length)}\r\n\r\n${body}`;
};

async function isPlayer(playerId: string): Promise<boolean> {
  const { rows } = await target.db.query('select 1 from players where player_id = $1', [playerId]);
  return rows.length > 0;
}

const carrier = () => [
  'POST /api/v1/game/session/end HTTP/1.1',
  'Host: x',
  ...letters,
  'Content-Type: application/json',
];

async function smuggle(port: number, title: string, playerId: string) {
  const request = new Map(listSmuggling(carrier(), createPlayer(playerId))).get(title) ?? '';
  return await sendRaw(port, Buffer.from(request, 'latin1'), 10_000);
}

it('the hidden request is good by itself', async () => {
  const answer = await sendRaw(target.port, Buffer.from(createPlayer('plain')));
  expect(answer.statuses).toEqual([201]);
  expect(await isPlayer('plain')).toBe(true);
});

describe('directly', () => {
  it.each(titles)('%s: one refusal, then the end', async (title) => {
    const answer = await smuggle(target.port, title, `direct ${title}`);
    expect(answer.isClosed).toBe(true);
    expect(answer.statuses).toEqual([400]);
    expect(await isPlayer(`direct ${title}`)).toBe(false);
  });
});

describe.skipIf(!isWhole || !isHaproxyInstalled)(
  'behind HAProxy (by command, where it is installed)',
  () => {
    let front: Front;
    let seen: IncomingMessage[] = [];
    beforeAll(async () => {
      front = await startHaproxy(target.port);
      target.server.prependListener('request', (request: IncomingMessage) => seen.push(request));
    });
    afterAll(() => front.close());

    it.each(titles)('%s: service and proxy see the same requests', async (title) => {
      seen = [];
      const answer = await smuggle(front.port, title, `behind ${title}`);
      expect(answer.isClosed).toBe(true);
      // Whatever the proxy has read as a request, it has marked; what was hidden from it is bare.
      expect(seen.filter((request) => request.headers['x-front'] !== 'yes')).toEqual([]);
      expect(answer.statuses.length).toBeLessThanOrEqual(2);
      const next = await sendRaw(front.port, Buffer.from(createPlayer(`next ${title}`)));
      expect(next.statuses).toEqual([201]);
    });
  },
);
