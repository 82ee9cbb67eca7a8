// Opens every page of the wallet panel with markup in its data: pages load completely, and no markup runs.
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, inLooks, looksOf, navigate } from './browser.ts';
import type { Person } from './browsing.ts';
import { describeWallet, openWalletSite, type WalletSite } from './wallet-site.ts';

const planted = `"><img src=x onerror="window.planted=1"><b>`;

/** Does not wait for a quiet network, because the live stream never ends. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
}

async function plantMarkup(site: WalletSite): Promise<void> {
  const call = async (path: string, body: object) => {
    const answer = await fetch(`${site.origin}/api/v1/${path}`, {
      method: 'POST',
      headers: { ...site.of.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };
  const player_id = planted;
  const funds = { player_id, type: 'credit', amount: 50, transaction_id: 'funds', note: planted };
  expect(await call('user/create', { player_id, name: planted })).toBe(201);
  expect(await call('user/update_balance', funds)).toBe(200);
  const game = { player_id, game_id: planted, round_id: planted };
  const bet = { ...game, action: 'bet', transaction_id: planted, amount: '1.25' };
  expect((await site.callback(bet)).status).toBe(200);
  expect((await site.callback(bet)).status).toBe(200);
  expect((await site.callback({ ...bet, amount: 2 })).status).toBe(409);
  const dear = { ...bet, transaction_id: 'dear', amount: 9999 };
  expect((await site.callback(dear)).status).toBe(422);
}

function listPaths({ base }: WalletSite): string[] {
  const query = (name: string) => `?${name}=${encodeURIComponent(planted)}`;
  return [
    base,
    `${base}/players`,
    `${base}/player${query('player_id')}`,
    `${base}/games`,
    `${base}/rounds`,
    `${base}/round${query('round_id')}`,
    `${base}/ledger`,
    `${base}/transactions${query('id')}`,
    `${base}/callbacks`,
    `${base}/callbacks?show=refused`,
    `${base}/callbacks?show=connections`,
    `${base}/credit`,
    `${base}/proof`,
    `${base}/settings/credentials`,
    `${base}/settings/access`,
    `${base}/settings/callbacks`,
    `${base}/settings/webhooks`,
    `${base}/settings/providers`,
    `${base}/team`,
    `${base}/audit`,
    '/account',
  ];
}

/** Declares the tests. Axe checks every page at both widths and in both colour schemes. */
export function describeWalletPages(): void {
  const open = () => openWalletSite(`Lane ${planted}`);
  const describePages = (site: WalletSite) => {
    beforeAll(() => plantMarkup(site));

    /** Requests to the provider are allowed, because the provider serves the pictures of games. */
    const withoutProvider = (faults: readonly string[]) =>
      faults.filter((fault) => fault !== `request to another host: ${site.providerOrigin}`);

    const walk = async (who: Person, paths: readonly string[]) => {
      const { page, faults, close } = await site.visit(who);
      for (const [position, path] of paths.entries()) {
        await navigate(page, path);
        await settle(page);
        await inLooks(page, looksOf(position), async () => {
          await settle(page);
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
        });
        expect(await page.evaluate(() => 'planted' in window)).toBe(false);
        expect(withoutProvider(faults).map((fault) => `${path}: ${fault}`)).toEqual([]);
      }
      await close();
    };

    it('the pages load completely and show markup in data as text', () => walk(site.owner, listPaths(site)));

    it('the pages of administrators load completely', () => {
      const one = `/admin/packages/${site.of.id}`;
      const own = ['provider', 'proofs', 'tokens', 'mail', 'team', 'audit'].map((name) => `/admin/${name}`);
      return walk(site.administrator, ['/admin', one, ...own]);
    });
  };
  describeWallet('the pages of the wallet panel', describePages, open);
}
