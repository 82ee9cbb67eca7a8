// Details of the wallet panel: layout, copying and search.
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { testGames, testPlayers } from '../../services/wallet/server/src/sandbox/test-ids.ts';
import { giveMember, password } from '../../services/wallet/server/test/environment/people.ts';
import { expectAccessible, expectNoSidewaysScroll, inLooks, narrowDark } from './browser.ts';
import { choosePlayer, describeWallet, sendCallback, visitLobby } from './wallet-site.ts';

/** The number of pixels by which the contents exceed the width of their container. */
const measureExcess = (table: Locator) =>
  table.evaluate((element) => {
    const frame = element.parentElement as HTMLElement;
    return frame.scrollWidth - frame.clientWidth;
  });

describeWallet('the wallet panel (details)', (site) => {
  it('the panel shows amount and balance of every movement while a game is played', async () => {
    const player_id = 'a-player-with-a-rather-long-name';
    await site.player(site.of, { playerId: player_id });
    const id = 'bet-01975f2c-9c1e-7b4e-8a44-3c1f9d2b7e60-01975f2c-9c1e-7b4e-8a44-3c1f';
    const game = { player_id, round_id: 'r', game_id: 'g'.repeat(60) };
    const win = { ...game, action: 'win', transaction_id: 'jackpot', amount: '123456789.00' };
    expect((await site.callback(win)).status).toBe(200);
    const bet = { ...game, action: 'bet', transaction_id: id, amount: '12345678.90' };
    expect((await site.callback(bet)).status).toBe(200);
    const { page, end } = await visitLobby(site, site.owner, `${site.base}/games`);
    await page
      .getByRole('button', { name: /^Play / })
      .first()
      .click();
    await choosePlayer(page, player_id);
    await page.getByRole('button', { name: 'Launch' }).click();
    const table = page.getByRole('table', { name: 'Movements of this player' });
    await table.getByText('12,345,678.90').waitFor();
    for (const width of [1280, 900, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => measureExcess(table)).toBeLessThanOrEqual(0);
      const frame = await table.locator('..').boundingBox();
      const amounts = table.locator('.cf-amount');
      expect(await amounts.count()).toBe(4);
      for (const amount of await amounts.all()) {
        const box = await amount.boundingBox();
        expect(box?.width).toBeGreaterThan(20);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
      }
    }
    await end();
  });

  it('the panel shows the callback URL with a copy button to owners and administrators', async () => {
    const url = `${site.config.publicUrl}/api/v1/game/callback`;
    for (const [who, path] of [
      [site.owner, `${site.base}/settings/callbacks`],
      [site.administrator, `/admin/packages/${site.of.id}`],
    ] as const) {
      const { page, end, context } = await site.visit(who, path);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByText(url, { exact: true }).waitFor();
      // The page shows “Copied” for two seconds, so the test stops the page's clock.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
      await page.clock.resume();
      await end();
    }
  });

  it('the panel shows when each key pair was last used', async () => {
    const of = await site.package({ name: 'Unused' });
    const { email } = await giveMember(site, of, 'owner');
    const path = `/p/${of.id}/settings/credentials`;
    const { page, close } = await site.visit({ email, password }, path);
    const cell = (key: string) => page.getByRole('row', { name: key }).getByRole('cell').nth(4).innerText();
    await page.getByRole('columnheader', { name: 'Last used' }).waitFor();
    expect(await cell(of.caller.apiKey)).toBe('Never');
    const answer = await site.app.inject({ url: '/api/v1/package', headers: of.headers });
    expect(answer.statusCode).toBe(200);
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('row', { name: of.caller.apiKey }).waitFor();
        return cell(of.caller.apiKey);
      })
      .not.toBe('Never');
    expect(await cell(of.callback.apiKey)).toBe('Never');
    await close();
  });

  it('the panel offers a replay only if a sandbox exists, and explains how to create a sandbox', async () => {
    const of = await site.package({ name: 'Lonely' });
    const chief = await giveMember(site, of, 'owner');
    const member = await giveMember(site, of, 'member');
    const player_id = await site.player(of, { balance: '5.00' });
    const bet = { action: 'bet', player_id, transaction_id: 'lonely-bet', amount: 1 };
    expect((await sendCallback(site.origin, of, bet)).status).toBe(200);
    const path = `/p/${of.id}/callbacks`;
    const byMember = await site.visit({ email: member.email, password }, path);
    await byMember.page.getByText('ask an owner to create one').waitFor();
    await byMember.close();
    const { page, close } = await site.visit({ email: chief.email, password }, path);
    await page.getByText('create one in Settings, Credentials').waitFor();
    await page.getByText('lonely-bet').waitFor();
    expect(await page.getByRole('button', { name: /^Replay/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Open Credentials' }).click();
    await page.getByRole('button', { name: 'Create sandbox' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Callbacks', exact: true }).click();
    await page.getByRole('button', { name: 'Replay lonely-bet in the sandbox' }).waitFor();
    expect(await page.getByText('create one in Settings').count()).toBe(0);
    await close();
  });

  it('the panel lists the test players on the credentials page of a sandbox', async () => {
    const of = await site.package({ name: 'Tested' });
    const chief = await giveMember(site, of, 'owner');
    const made = await chief.send('POST', `/panel/packages/${of.id}/sandbox`);
    const path = `/p/${made.body.data.package.id}/settings/credentials`;
    const { page, close } = await site.visit({ email: chief.email, password }, path);
    for (const id of [...Object.values(testPlayers), ...Object.values(testGames)]) {
      await page.getByText(id, { exact: true }).waitFor();
    }
    await inLooks(page, [narrowDark], () => expectNoSidewaysScroll(page));
    await close();
  });

  it('the panel finds a player by any part of the id or name', async () => {
    const { page, close } = await site.visit(site.owner, `${site.base}/players`);
    const body = { player_id: 'acct-000777', name: 'Ottilie Quast' };
    const headers = { ...site.of.headers, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    expect((await fetch(`${site.origin}/api/v1/user/create`, sent)).status).toBe(201);
    const find = async (text: string) => {
      await page.getByLabel('Part of the id or name').fill(text);
      await page.waitForURL(new RegExp(`search=${text}`));
    };
    for (const text of ['777', 'otti', 'QUAST']) {
      // Searches for “nobody” first, because the table shows the previous rows until the next answer arrives.
      await find('nobody');
      await page.getByRole('link', { name: 'acct-000777' }).waitFor({ state: 'detached' });
      await find(text);
      await page.getByRole('link', { name: 'acct-000777' }).waitFor();
      await page.getByText('1 row on this page').waitFor();
    }
    await close();
  });

  it('the panel shows a legend for the chart, and “1 movement” in the singular', async () => {
    const of = await site.package({ name: 'Single', credit: '0' });
    const { email } = await giveMember(site, of, 'member');
    const player_id = await site.player(of);
    const win = { action: 'win', player_id, transaction_id: 'one-win', amount: '1.50' };
    expect((await sendCallback(site.origin, of, win)).status).toBe(200);
    const { page, close } = await site.visit({ email, password }, `/p/${of.id}`);
    await page.getByText('1 movement, 0 refused').waitFor();
    await page.locator('.u-legend').waitFor();
    expect(await page.locator('.u-legend th').allInnerTexts()).toEqual(['Time', 'Bets', 'Wins']);
    await close();
  });

  it('the panel explains that a reset link no longer works and how to get a new link', async () => {
    const { page, close } = await site.openPage({ width: 380 });
    await page.goto('/reset#token=never-made');
    await page.getByRole('heading', { name: 'This link no longer works', level: 1 }).waitFor();
    await page.getByText('Ask the operator of this service for a new reset link.').waitFor();
    expect(await page.getByText('Welcome').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/welcome#token=never-made');
    await page.getByText('Ask the person who invited you for a new link.').waitFor();
    await page.goto('/reset');
    await page.getByRole('heading', { name: 'New password', level: 1 }).waitFor();
    await close();
  });
});
