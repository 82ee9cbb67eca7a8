// The connections of providers in the wallet panel: an owner creates, tests and pauses a connection; the
// pages show transactions and health.

import { eventually } from '@counterfoil/kit/testing/eventually';
import * as softswiss from '@counterfoil/wallet-server/connections/dialects/softswiss/signature';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { giveConnection } from '../../services/wallet/server/test/environment/connections.ts';
import { giveGameProvider } from '../../services/wallet/server/test/environment/game-provider.ts';
import { expectAccessible, expectNoSidewaysScroll, inLooks, settle } from './browser.ts';
import { choosePlayer, describeWallet, openWalletSite } from './wallet-site.ts';
import { localWebhooks } from './webhook-story.ts';

const open = () => openWalletSite('Lucky Lane', localWebhooks);

const widths = [
  { width: 1280, scheme: 'light' },
  { width: 380, scheme: 'light' },
] as const;

/** Opens the path and expects that the page shows the texts at both widths. */
async function expectShown(page: Page, path: string, texts: readonly string[]): Promise<void> {
  await page.goto(path);
  await inLooks(page, widths, async () => {
    for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
}

describeWallet(
  'the wallet panel (provider connections)',
  (site) => {
    it('an owner creates, tests, inspects and pauses a connection on a narrow screen', async () => {
      await site.player(site.of, { playerId: 'tester', balance: '12.50' });
      const path = `${site.base}/settings/providers`;
      const { page, context, close } = await site.visit(site.owner, path, { width: 380 });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByText('No providers yet').waitFor();
      await page.getByRole('button', { name: 'Add provider' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Ask the provider for its token.').waitFor();
      await dialog.getByLabel('Token', { exact: true }).fill('token-of-the-provider');
      await dialog.getByLabel('Name', { exact: true }).fill('Aggregator');
      await dialog.getByLabel('Game prefix').fill('a b');
      await dialog.getByRole('button', { name: 'Create connection' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Game prefix').fill('ss-');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Create connection' }).click();
      const address = dialog.getByLabel('Address for the provider');
      await address.waitFor();
      const url = (await address.textContent()) ?? '';
      expect(url).toMatch(/\/providers\/con_\d+x[0-9a-f]{30}$/);
      await dialog.getByRole('button', { name: 'Copy' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
      await dialog.getByRole('button', { name: /saved/i }).click();

      await page.getByText(url).waitFor();
      await expectNoSidewaysScroll(page);
      await page.getByRole('link', { name: 'Aggregator' }).click();
      await page.getByRole('heading', { name: 'Aggregator', level: 1 }).waitFor();
      await page.getByText('No calls yet').waitFor();
      await choosePlayer(page, 'tester');
      await page.getByRole('button', { name: 'Send test call' }).click();
      await page.getByText('Accepted: the answer contains the balance.').waitFor();
      await page.getByRole('region', { name: 'Answer (200)' }).getByText('12.50').waitFor();
      await page.getByRole('button', { name: 'Details of POST /balance' }).click();
      const details = page.getByRole('dialog');
      await details.getByRole('region', { name: 'Original' }).getByText('account_id').waitFor();
      await details.getByRole('region', { name: 'Meaning' }).getByText('"balance"').first().waitFor();
      await expectNoSidewaysScroll(page);
      await page.keyboard.press('Escape');
      await details.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send test call' }).click();
      await page.getByText('Refused: 400.').waitFor();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await close();
    });

    it('the inspector, callbacks, rounds and ledger show a provider’s transaction', async () => {
      const { of, base, owner } = site;
      await site.player(of, { playerId: 'ann', balance: '50.00' });
      const credit = { player_id: 'ann', type: 'credit', amount: 20, transaction_id: 'gift', purse: 'promo' };
      const funded = await fetch(`${site.origin}/api/v1/user/update_balance`, {
        method: 'POST',
        headers: { ...of.headers, 'content-type': 'application/json' },
        body: JSON.stringify(credit),
      });
      expect(funded.status).toBe(200);
      for (const name of ['Alpha', 'Beta']) {
        const connection = await giveConnection(site, of, {
          name,
          dialect: 'softswiss',
          secrets: { token: 'a-token' },
        });
        const game = { account_id: 'ann', currency: 'EUR', game_id: 'dice', round_id: 'shared-round' };
        const transactions = [{ id_provider: 'shared-id', type: 'bet', amount: '1.25' }];
        const bet = softswiss.signWalletRequest('a-token', '/betwin', { ...game, transactions });
        expect((await connection.send(bet)).status).toBe(200);
      }
      const { page, close } = await site.visit(owner, `${base}/callbacks?show=connections`);
      await expect
        .poll(async () => {
          await page.reload();
          await settle(page);
          return page.getByText('Beta · SoftSwiss').count();
        })
        .toBeGreaterThan(0);
      const see = (path: string, ...shown: string[]) => expectShown(page, `${base}/${path}`, shown);
      await see('callbacks?show=connections', 'Beta · SoftSwiss');
      await see('transactions?id=shared-id', 'Calls of connected providers');
      expect(await page.getByRole('region', { name: 'Original' }).count()).toBe(2);
      expect(await page.getByRole('region', { name: 'Meaning' }).count()).toBe(2);
      await see('rounds', 'dice · Alpha');
      await see('round?round_id=shared-round', 'Alpha · SoftSwiss, Beta · SoftSwiss');
      await see('ledger?player_id=ann', 'Promo', 'dice · Alpha');
      await close();
    });

    it('the panel shows the health of a game source, a refusal, and the sum of shortfalls', async () => {
      const { of, base, owner } = site;
      const provider = await giveGameProvider('softswiss', ['dice', 'moon']);
      onTestFinished(() => provider.close());
      const { dialect, secrets, url: upstreamUrl } = provider;
      const wanted = { dialect, secrets, upstreamUrl, name: 'Source', gamePrefix: 's-' };
      const connection = await giveConnection(site, of, wanted);
      await site.player(of, { playerId: 'eve', balance: '0.00' });
      const game = { account_id: 'eve', currency: 'EUR', game_id: 'dice' };
      const send = (path: string, body: object) =>
        connection.send(softswiss.signWalletRequest(secrets.token ?? '', path, { ...game, ...body }));
      const leg = (type: string, id: string, amount: string) => ({ id_provider: id, type, amount });
      const round = { round_id: 'eve-round' };
      await send('/betwin', {
        ...round,
        transactions: [leg('win', 'e-1', '25.00'), leg('bet', 'e-2', '20.00')],
      });
      await send('/betwin', { ...round, transactions: [leg('bet', 'e-3', '99.00')] });
      const undo = { id_provider: 'e-4', type: 'rollback', original_id_provider: 'e-1' };
      await send('/rollback', { round_id_provider: 'eve-round', transactions: [undo] });
      const listGames = () => site.app.inject({ url: '/api/v1/game/list', headers: of.headers });
      await eventually(async () => {
        expect((await listGames()).json().data.sources).toMatchObject([{ state: 'current' }]);
      });
      provider.faults = { list: { status: 500, body: {} } };
      site.ahead.ms += 301_000;
      await listGames();
      const { page, close } = await site.visit(owner, `${base}/settings/providers`);
      const see = (path: string, ...shown: string[]) => expectShown(page, `${base}/${path}`, shown);
      await see('settings/providers', 'Copy in use');
      const one = `settings/providers/${connection.id}`;
      await see(one, 'The provider answered with an error.', 'Balance too low');
      const shortfall = '20.00 of cancelled wins could not be taken back from players.';
      await see('ledger?player_id=eve', shortfall);
      await close();
    });

    it('an administrator sees the connections of a package, with their state and health', async () => {
      const of = await site.package({ name: 'Connected' });
      const provider = await giveGameProvider('softswiss', ['dice']);
      onTestFinished(() => provider.close());
      provider.faults = { list: { status: 500, body: {} } };
      const { dialect, secrets, url: upstreamUrl } = provider;
      const connection = await giveConnection(site, of, { dialect, secrets, upstreamUrl, name: 'Source' });
      const listed = await site.app.inject({ url: '/api/v1/game/list', headers: of.headers });
      expect(listed.json().data.sources).toMatchObject([{ state: 'unavailable' }]);
      const { page, close } = await site.visit(site.administrator, `/admin/packages/${of.id}`);
      const row = page.getByRole('table', { name: 'Connections' }).getByRole('row', { name: 'Source' });
      await inLooks(page, widths, async () => {
        for (const shown of ['SoftSwiss', 'Active', 'Not reachable', `/providers/${connection.id}`]) {
          await row.getByText(shown).waitFor();
        }
        expect(await row.getByRole('link').count()).toBe(0);
        await expectNoSidewaysScroll(page);
        await expectAccessible(page);
      });
      const { id } = await site.package({ name: 'Unconnected' });
      await page.goto(`/admin/packages/${id}`);
      await page.getByText('No providers yet').waitFor();
      await close();
    });
  },
  open,
);
