// The main tasks in the wallet panel, from the first sign-in to the movements of a game.
import { expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { choosePlayer, describeWallet } from './wallet-site.ts';

describeWallet('the wallet panel', (site) => {
  it('a person plays a game for money, and the ledger shows the movements of the game', async () => {
    const { page, context, close } = await site.visit(site.owner, `${site.base}/players`);
    await page.getByRole('button', { name: 'New player' }).first().click();
    await page.getByLabel('Player id').fill('newcomer');
    await page.getByRole('dialog').getByRole('button', { name: 'New player' }).click();
    await page.getByRole('heading', { name: 'newcomer', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Credit or debit' }).click();
    await page.getByLabel('Amount (EUR)').fill('25.50');
    await page.getByRole('dialog').getByRole('button', { name: 'Credit', exact: true }).click();
    await page.getByText('25.50 EUR').waitFor();

    await page.getByRole('link', { name: 'Games', exact: true }).click();
    await page.getByText('Private', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Play / })
      .first()
      .click();
    await choosePlayer(page, 'newcomer');
    await page.getByText('Real', { exact: true }).click();
    await page.getByRole('button', { name: 'Launch' }).click();
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the game' }).click();
    const game = await opening;
    await game.waitForSelector('#spin:enabled');
    expect(await game.evaluate(() => document.referrer)).toBe('');
    await game.click('#spin');
    await page.getByRole('dialog').getByText('Bet', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Ledger', exact: true }).click();
    await page.getByRole('table').getByText('newcomer').first().waitFor();
    await page.getByText('“Players”, “Package credit”, “House” and “Issued” add up to zero.').waitFor();
    await expectAccessible(page);
    await close();
  });

  it('an administrator approves, tops up and suspends a package, and proves its ledger', async () => {
    const fresh = await site.package({ name: 'Fresh', state: 'pending', credit: '0' });
    const { page, close } = await site.visit(site.administrator, '/admin?state=pending');
    await page.getByRole('link', { name: 'Fresh' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    // The buttons move when the page shows the new state. A click during the move would reach no button.
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByLabel('Amount (EUR)').fill('1234.56');
    await page.getByRole('dialog').getByRole('button', { name: 'Top up' }).click();
    await page.getByText('1,234.56 EUR').first().waitFor();
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText('Clean: the hash chain is intact').waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel(/Type “Fresh”/).fill('Fresh');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended', { exact: true }).waitFor();
    await expectAccessible(page);
    const answer = await fetch(`${site.origin}/api/v1/user/create`, {
      method: 'POST',
      headers: { ...fresh.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ player_id: 'x' }),
    });
    expect(answer.status).toBe(403);
    await page.goto('/admin/provider');
    await page.getByText('Private launch').waitFor();
    await close();
  });

  it('a person signs in, finds a player and verifies the balance with the keyboard only', async () => {
    await site.player(site.of, { playerId: 'keys', balance: '4.00' });
    const { page, end } = await site.openPage();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(site.member.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(site.member.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${site.base}`);
    const press = async (name: string, role: 'link' | 'button' = 'link') => {
      await page.getByRole(role, { name, exact: true }).first().focus();
      await page.keyboard.press('Enter');
    };
    await press('Players');
    await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
    await page.getByLabel('Part of the id or name').focus();
    await page.keyboard.type('keys');
    await page.waitForURL(/search=keys/);
    await page.getByRole('link', { name: 'keys', exact: true }).waitFor();
    await press('keys');
    await press('Verify', 'button');
    await page.getByText('The balance is correct').waitFor();
    await expectAccessible(page);
    await end();
  });
});
