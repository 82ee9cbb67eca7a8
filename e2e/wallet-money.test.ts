// What must hold when people move money in the wallet panel: corrected, pressed twice, lost from sight.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openPage } from './browser.ts';
import { describeInBrowser } from './chromium.ts';
import { signIn } from './sign-in.ts';
import { openWalletSite, type WalletSite } from './wallet-site.ts';

describeInBrowser('money in the wallet panel', () => {
  let site: WalletSite;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    site = await openWalletSite();
    browser = await launchBrowser();
    base = `/p/${site.of.id}`;
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const visit = async (who: { email: string; password: string }, path: string, width = 1280) => {
    const opened = await openPage(browser, site.origin, { width });
    await signIn(opened.page, who);
    await opened.page.goto(path);
    return opened;
  };

  it('a debit refused for want of money can be corrected and sent again', async () => {
    await site.player(site.of, { playerId: 'corrected', balance: '9.00' });
    const { page, context } = await visit(site.owner, `${base}/player?player_id=corrected`);
    await page.getByRole('button', { name: 'Credit or debit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Debit', { exact: true }).first().click();
    await dialog.getByLabel('Amount (EUR)').fill('90');
    await dialog.getByRole('button', { name: 'Debit' }).click();
    await dialog.getByText('The balance is too low').waitFor();
    await dialog.getByLabel('Amount (EUR)').fill('2');
    await dialog.getByRole('button', { name: 'Debit' }).click();
    await page.getByText('7.00 EUR').waitFor();
    await context.close();
  });

  it('a top-up pressed twice is sent once', async () => {
    const of = await site.package({ name: 'Twice', credit: '0' });
    const { page, context } = await visit(site.administrator, `/admin/packages/${of.id}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Top up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount (EUR)').fill('10');
    await dialog.getByRole('button', { name: 'Top up' }).dblclick();
    await page.getByText('10.00 EUR', { exact: true }).first().waitFor();
    expect(sent).toHaveLength(1);
    await context.close();
  });

  it('a top-up whose answer was lost counts once when it is sent again', async () => {
    const of = await site.package({ name: 'Lossy', credit: '0' });
    const { page, context } = await visit(site.administrator, `/admin/packages/${of.id}`);
    await page.getByRole('button', { name: 'Top up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount (EUR)').fill('10');
    await page.route('**/top-ups', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Top up' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.unroute('**/top-ups');
    await dialog.getByRole('button', { name: 'Top up' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('10.00 EUR', { exact: true }).first().waitFor();
    await page.getByText('+10.00').first().waitFor();
    expect(await page.getByText('+10.00').count()).toBe(1);
    await context.close();
  });

  it('a new secret stays on the screen until somebody says that it is kept', async () => {
    const { page, context } = await visit(site.owner, `${base}/settings/credentials`);
    await page.getByRole('button', { name: 'Rotate caller pair' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const kept = page.getByRole('button', { name: 'I have kept it' });
    await kept.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    // A dialog on its way out lets the page be pressed again before it is gone.
    await expect(kept.click({ trial: true, timeout: 3_000 })).resolves.toBeUndefined();
    expect(await page.getByTestId('secret').count()).toBe(2);
    await kept.click();
    await page.getByTestId('secret').first().waitFor({ state: 'detached' });
    await context.close();
  });

  it('a long transaction id stays inside its card on a narrow screen', async () => {
    await site.player(site.of, { playerId: 'narrow', balance: '9.00' });
    const transaction_id = `bet-${'0123456789abcdef'.repeat(5)}`;
    await site.callback({ action: 'bet', player_id: 'narrow', transaction_id, amount: 1 });
    const { page, context } = await visit(site.owner, `${base}/player?player_id=narrow`, 380);
    const box = await page.getByRole('link', { name: transaction_id }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(380);
    await context.close();
  });

  it('a page opened while the service is away says so, and comes when it is back', async () => {
    const { page, context } = await visit(site.owner, `${base}/credit`);
    await page.getByRole('heading', { name: 'Credit', level: 1 }).waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await page.getByText('The service cannot be reached').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Rounds', level: 1 }).waitFor();
    await context.close();
  });

  it("the platform's list of proofs shows a result when it is there", async () => {
    const { page, context } = await visit(site.administrator, '/admin/proofs');
    const row = page.getByRole('row', { name: /Lucky Lane/ });
    await row.getByRole('button').click();
    await row.getByText('Clean').waitFor();
    await context.close();
  });
});
