// Two packages with two key pairs each: the service accepts only a UID, key and secret that belong together.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Given,
  type GivenPackage,
  givenWallet,
} from '../../../../services/wallet/server/test/environment/given.ts';
import { openSender, type Sender } from './send.ts';
import { listen } from './target.ts';

let given: Given;
let sender: Sender;
let packages: GivenPackage[];
beforeAll(async () => {
  given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' });
  sender = openSender(await listen(given.app));
  packages = [await given.package(), await given.package()];
  for (const each of packages) await given.player(each, { playerId: 'ada', balance: '5.00' });
});
afterAll(async () => {
  sender.close();
  await given.close();
});

const pairs = [0, 1].flatMap((owner) => [
  { owner, purpose: 'caller' as const },
  { owner, purpose: 'callback' as const },
]);
const mixtures = [0, 1].flatMap((uid) =>
  pairs.flatMap((key) => pairs.map((secret) => ({ uid, key, secret }))),
);
type Mixture = (typeof mixtures)[number];

const isWhole = ({ uid, key, secret }: Mixture) => key === secret && key.owner === uid;

const pairOf = ({ owner, purpose }: (typeof pairs)[number]) => {
  const pair = packages[owner]?.[purpose];
  if (!pair) throw new Error('the package has no such pair');
  return pair;
};

const body = JSON.stringify({ action: 'balance', player_id: 'ada' });
const movement = JSON.stringify({
  player_id: 'ada',
  type: 'credit',
  amount: 1,
  transaction_id: 'mixed',
});

/** The fast path of these operations passes a request with invalid credentials to the router. */
const entryPoints = [
  ['GET', '/api/v1/user/balance?player_id=ada', undefined, { caller: 200, callback: 403 }],
  ['POST', '/api/v1/user/update_balance', movement, { caller: 200, callback: 403 }],
  ['POST', '/api/v1/game/callback', body, { caller: 200, callback: 200 }],
] as const;

describe.each(entryPoints)('the operation %s %s', (method, url, payload, whole) => {
  it('the operation accepts only matching credentials; all other mixtures get the same 401', async () => {
    const refusals = new Set<string>();
    for (const mixture of mixtures) {
      const answer = await sender.send({
        method,
        url,
        headers: {
          'x-uid': packages[mixture.uid]?.uid ?? '',
          'x-api-key': pairOf(mixture.key).apiKey,
          'x-api-secret': pairOf(mixture.secret).apiSecret,
          ...(payload && { 'content-type': 'application/json' }),
        },
        ...(payload && { body: Buffer.from(payload) }),
      });
      const expected = isWhole(mixture) ? whole[mixture.key.purpose] : 401;
      expect(answer.status, JSON.stringify(mixture)).toBe(expected);
      if (expected !== 401) continue;
      // Headers about the connection are not compared, because the service closes the connection if it
      // answers before the body has arrived. The Date header is not compared either, because it changes every
      // second.
      const { date: _1, connection: _2, 'keep-alive': _3, ...headers } = answer.headers;
      const requestId = String(headers['x-request-id']);
      refusals.add(JSON.stringify({ headers, text: answer.text }).replaceAll(requestId, 'ID'));
    }
    expect(refusals.size).toBe(1);
  });
});
