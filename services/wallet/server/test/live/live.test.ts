// Live figures are a stream of events with sums of movements. The stream ends when the session of its reader
// ends.
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { findQuantile } from '../../src/live/latency.ts';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember, password } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let port: number;

beforeAll(async () => {
  const deps = (deps: WalletDeps) => ({ ...deps, liveEveryMs: 20 });
  given = await givenWallet({}, {}, undefined, { deps });
  owner = await given.package();
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  port = (given.app.server.address() as AddressInfo).port;
});

afterAll(() => given.close());

async function signIn(): Promise<{ cookie: string }> {
  const person = await giveMember(given, owner, 'member');
  const signedIn = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    headers: { origin: given.config.publicUrl },
    payload: { email: person.email, password },
  });
  return { cookie: String(signedIn.headers['set-cookie']).split(';')[0] ?? '' };
}

/** Opens the stream. `onData` gets the text received so far, and returns true to close the stream. */
function listen(headers: Record<string, string>, onData: (text: string) => boolean) {
  return new Promise<{ status: number; text: string; ended: boolean }>((resolve, reject) => {
    const path = `/panel/packages/${owner.id}/live`;
    const asked = request({ host: '127.0.0.1', port, path, headers }, (reply) => {
      let text = '';
      const status = reply.statusCode ?? 0;
      reply.on('data', (bytes) => {
        text += bytes;
        if (!onData(text)) return;
        resolve({ status, text, ended: false });
        asked.destroy();
      });
      reply.on('end', () => resolve({ status, text, ended: true }));
      reply.on('error', () => undefined);
    });
    asked.on('error', reject);
    asked.end();
  });
}

const hasEvent = (text: string) => /data: \{.+\}\n\n/.test(text);

describe('the stream of live figures', () => {
  it('the stream of live figures contains the exact sums of bets, wins, rollbacks and revenue', async () => {
    const playerId = await given.player(owner, { balance: '10.00' });
    const provider = createProvider(given, owner);
    const bet = { action: 'bet', player_id: playerId, transaction_id: 'b', amount: '0.30' };
    await provider.send(bet);
    await provider.send({ ...bet, action: 'win', transaction_id: 'w', amount: '0.10' });
    await provider.send({ ...bet, transaction_id: 'dear', amount: 900 });
    const back = { player_id: playerId, transaction_id: 'back', amount: '0.05' };
    await provider.send({ ...back, action: 'bet' });
    await provider.send({
      action: 'rollback',
      player_id: playerId,
      transaction_id: 'r',
      reference_transaction_id: 'back',
    });
    const { status, text } = await listen(await signIn(), hasEvent);
    expect(status).toBe(200);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      currency: 'EUR',
      bets: '0.35',
      wins: '0.10',
      given_back: '0.05',
      revenue: '0.20',
      refused: 1,
      queue: 0,
      seconds: [{ bets: '0.35', wins: '0.10', revenue: '0.20' }],
    });
  });

  it('the stream of live figures ends when the person signs out', async () => {
    const session = await signIn();
    let signedOut: Promise<unknown> | undefined;
    const { text, ended } = await listen(session, (seen) => {
      if (hasEvent(seen)) {
        signedOut ??= given.app.inject({
          method: 'DELETE',
          url: '/panel/session',
          headers: { ...session, origin: given.config.publicUrl },
        });
      }
      return false;
    });
    await signedOut;
    expect([ended, text.endsWith('event: ended\ndata: {}\n\n')]).toEqual([true, true]);
  });

  it('only signed-in members of the package can read the stream of live figures', async () => {
    expect((await listen({}, () => false)).status).toBe(401);
    const stranger = await giveMember(given, await given.package(), 'owner');
    const answer = await stranger.send('GET', `/panel/packages/${owner.id}/live`);
    expect(answer.body.code).toBe('package_not_found');
  });
});

describe('a latency figure', () => {
  it('the quantile of the new answers is shown as the upper bound of its histogram bucket', () => {
    const counts = (...values: [number, number][]) => new Map(values);
    const end = Number.POSITIVE_INFINITY;
    const before = counts([0.001, 5], [0.01, 5], [end, 5]);
    const now = counts([0.001, 14], [0.01, 15], [end, 15]);
    expect(findQuantile(before, now, 0.5)).toBe(1);
    expect(findQuantile(before, now, 0.95)).toBe(10);
    expect(findQuantile(now, now, 0.5)).toBeNull();
  });
});
