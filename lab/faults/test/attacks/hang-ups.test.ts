// Clients that disconnect before the answer cause no failure and no error in the log.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchIdle } from './idle.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { sendRaw } from './raw.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

const body = '{"purchase_code":"x","player_id":"x","email":"a@test.example","password":"x"}';
let counter = 0;

/** Each request has new wrong credentials, so that the service must look them up. */
const makeRequest = (first: string, connection: 'keep-alive' | 'close' = 'keep-alive') =>
  [
    first,
    'Host: x',
    `Connection: ${connection}`,
    `X-Api-Key: unknown-key-of-a-stranger-${++counter}`,
    `X-UID: UID_stranger_${counter}`,
    'X-API-SECRET: x',
    `Authorization: Bearer cfa_stranger_${counter}`,
    `Cookie: counterfoil_licensing=${counter}; counterfoil_wallet=${counter}`,
    'Content-Type: application/json',
    ...(first.startsWith('POST') ? [`Content-Length: ${body.length}`, '', body] : ['', '']),
  ].join('\r\n');

function hangUp(port: number, request: string, how: 'end' | 'reset'): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.write(request, () => (how === 'end' ? socket.destroy() : socket.resetAndDestroy()));
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });
}

describe.each([
  [
    'licensing',
    openLicensingTarget,
    [
      'GET /api/account/details HTTP/1.1',
      'GET /api/v1/purchases HTTP/1.1',
      'POST /api/purchases/validation HTTP/1.1',
      'GET /panel/workspaces/1 HTTP/1.1',
      'POST /panel/session HTTP/1.1',
    ],
  ],
  [
    'wallet',
    openWalletTarget,
    [
      'GET /api/v1/user/list HTTP/1.1',
      'POST /api/v1/user/update_balance HTTP/1.1',
      'POST /api/v1/game/callback HTTP/1.1',
      'GET /admin/v1/packages HTTP/1.1',
      'POST /panel/session HTTP/1.1',
    ],
  ],
] as const)('the service %s', (_name, open, firsts) => {
  let target: Target;
  beforeAll(async () => {
    // Turns the rate limit on. The service counts failures per client address, so it must know the address
    // even after the client has disconnected.
    target = await open({ AUTH_FAILURES_PER_MINUTE: '60' });
  });
  afterAll(() => target.close());

  it('the service continues to serve after clients disconnected, and logs no error', async () => {
    const untilIdle = watchIdle(target);
    for (let round = 0; round < 8; round++) {
      const how = round % 2 === 0 ? 'end' : 'reset';
      await Promise.all(firsts.map((first) => hangUp(target.port, makeRequest(first), how)));
    }
    // Sends each kind of request once more, from clients that wait for the answer.
    const waiting = firsts.map((first) => Buffer.from(makeRequest(first, 'close')));
    const answers = await Promise.all(waiting.map((bytes) => sendRaw(target.port, bytes)));
    expect(answers.map(({ statuses }) => statuses.length)).toEqual(firsts.map(() => 1));
    await untilIdle();
    const alive = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect((await sendRaw(target.port, Buffer.from(alive))).statuses).toEqual([200]);
    const faults = target.logLines.filter((line) => JSON.parse(line).level >= 50);
    expect(faults).toEqual([]);
  });
});
