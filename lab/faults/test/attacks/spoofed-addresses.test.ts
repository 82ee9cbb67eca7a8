// Headers with a client address are ignored unless the operator trusts the proxy that sends them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Given,
  type GivenPackage,
  givenWallet,
} from '../../../../services/wallet/server/test/environment/given.ts';
import { openSender, type Sender } from './send.ts';
import { listen } from './target.ts';

interface Site {
  readonly given: Given;
  readonly sender: Sender;
  readonly owner: GivenPackage;
}

async function openSite(env: Record<string, string> = {}): Promise<Site> {
  const given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0', ...env });
  const sender = openSender(await listen(given.app));
  const owner = await given.package({
    domains: ['shop.example', '*.play.example'],
    callerAddresses: ['203.0.113.9'],
  });
  await given.player(owner, { playerId: 'ada', balance: '5.00' });
  return { given, sender, owner };
}

const closeSite = async ({ given, sender }: Site) => {
  sender.close();
  await given.close();
};

const read = { method: 'GET', url: '/api/v1/user/balance?player_id=ada' };
const write = {
  method: 'POST',
  url: '/api/v1/user/update_balance',
  body: Buffer.from('{"player_id":"ada","type":"credit","amount":1,"transaction_id":"t"}'),
};
/**
 * Both operations have a fast path. If the package has an address list, the fast path passes the request to
 * the router.
 */
const entryPoints = [
  ['GET /api/v1/user/balance', read],
  ['POST /api/v1/user/update_balance', write],
] as const;

const ask = async (site: Site, request: typeof read, headers: Record<string, string>) => {
  const type = { 'content-type': 'application/json' };
  const sent = { ...request, headers: { ...site.owner.headers, ...type, ...headers } };
  const { status, text } = await site.sender.send(sent);
  return [status, status === 200 ? 'success' : JSON.parse(text).code];
};

const claims: [string, string][] = [
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-for', '203.0.113.9, 127.0.0.1'],
  ['x-real-ip', '203.0.113.9'],
  ['x-client-ip', '203.0.113.9'],
  ['true-client-ip', '203.0.113.9'],
  ['cf-connecting-ip', '203.0.113.9'],
  ['x-originating-ip', '203.0.113.9'],
  ['x-cluster-client-ip', '203.0.113.9'],
  ['forwarded', 'for=203.0.113.9'],
  ['via', '203.0.113.9'],
];

describe('a wallet without a trusted proxy', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => closeSite(site));

  describe.each(entryPoints)('the operation %s', (_title, request) => {
    it.each(claims)('the operation ignores the header %s: %s', async (name, value) => {
      expect(await ask(site, request, { [name]: value })).toEqual([403, 'address_not_allowed']);
    });
  });
});

describe('a wallet behind a trusted proxy', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ TRUST_PROXY: '127.0.0.1' });
  });
  afterAll(() => closeSite(site));

  describe.each(entryPoints)('the operation %s', (_title, request) => {
    it('the operation uses the IP address in X-Forwarded-For', async () => {
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      expect(await ask(site, request, headers)).toEqual([200, 'success']);
    });

    it.each(['203.0.113.9, 198.51.100.1', '198.51.100.1', '127.0.0.1', 'unknown', '203.0.113.9, x', ''])(
      'the operation refuses “X-Forwarded-For: %s”, which names no allowed IP address',
      async (forwarded) => {
        const headers = { 'x-forwarded-for': forwarded };
        expect(await ask(site, request, headers)).toEqual([403, 'address_not_allowed']);
      },
    );

    it.each(claims.slice(2))('the operation ignores the header %s: %s', async (name, value) => {
      expect(await ask(site, request, { [name]: value })).toEqual([403, 'address_not_allowed']);
    });

    it.each([
      'null',
      'https://shop.example.evil.example',
      'https://evilshop.example',
      'https://shop.example@evil.example',
      'https://evil.example#shop.example',
      'https://evil.example/shop.example',
      'https://evil.example?shop.example',
      'https://shop.example%00.evil.example',
      'https://shop.example%2eevil.example',
      'https://shop.example, https://evil.example',
      'https://evil.example https://shop.example',
      'javascript:shop.example',
      'file:///shop.example',
      'https://play.example',
      'https://play.example.evil.example',
      'https://a.play.example.evil',
      'https://',
      'shop',
    ])('the operation refuses the origin %s', async (origin) => {
      const headers = { 'x-forwarded-for': '203.0.113.9', origin };
      expect(await ask(site, request, headers)).toEqual([403, 'origin_not_allowed']);
    });

    it.each(['https://shop.example', 'http://SHOP.example:8080', 'https://a.b.play.example'])(
      'the operation accepts the origin %s',
      async (origin) => {
        const headers = { 'x-forwarded-for': '203.0.113.9', origin };
        expect(await ask(site, request, headers)).toEqual([200, 'success']);
      },
    );
  });
});
