// An owner connects a provider in the wallet panel: create, copy the address, test, see the call, pause.
import { expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll } from './browser.ts';
import { choosePlayer, describeWallet } from './wallet-site.ts';

describeWallet('the wallet panel (provider connections)', (site) => {
  it('creates, tests, inspects and pauses a provider connection on a narrow screen', async () => {
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
    await page.getByText('Refused: 500.').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await close();
  });
});
