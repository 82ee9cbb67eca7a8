// The main tasks of sellers in the licensing panel: get a key, publish an item, sell it and refund it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, settle, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('the licensing panel', (site) => {
  const choose = async (page: Page, label: string, option: RegExp) => {
    await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option }).click();
  };

  it('a person signs in, generates a key and completes the checklist with the keyboard only', async () => {
    const itemId = await site.item(site.workspaceId);
    const { code } = await site.purchase(site.workspaceId, itemId);
    const { page, end } = await site.openPage();
    await page.goto('/');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(site.owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(site.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Go to the API keys' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Generate a key' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Website');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const secret = (await page.getByTestId('secret').innerText()).trim();
    expect(secret).toMatch(/^ck_live_/);
    expect(page.url()).not.toContain(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    expect(await site.validate(secret, code)).toMatchObject({ status: 'success' });
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await expect
      .poll(async () => {
        await page.reload();
        await settle(page);
        return page.getByRole('heading', { name: 'First steps' }).count();
      })
      .toBe(0);
    await page.getByRole('img', { name: 'Validations per hour, valid and invalid' }).waitFor();
    await end();
  });

  /** Adds the beta 2.1.0 for WordPress, and makes it stable. */
  const addBeta = async (page: Page) => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add version' }).click();
    await dialog.getByLabel('Version', { exact: true }).fill('2.1.0');
    await choose(page, 'Channel', /Beta/);
    await dialog.getByLabel('Oldest version of WordPress').fill('6.2');
    await dialog.getByLabel('Oldest version of PHP').fill('8.1');
    await dialog.getByRole('button', { name: 'Add version' }).click();
    await page.getByText('WordPress 6.2 or newer · PHP 8.1 or newer').waitFor();
    await page.getByRole('button', { name: 'Make stable: 2.1.0' }).click();
    await dialog.getByRole('button', { name: 'Make stable' }).click();
    await waitForNotice(page, 'The version is stable.');
    await page.getByText('Beta', { exact: true }).waitFor({ state: 'detached' });
  };

  it('a person creates, edits, publishes and withdraws an item with a version and a file', async () => {
    const { page, end } = await site.visitAsOwner('/items');
    await page.getByRole('link', { name: 'New item' }).first().click();
    // Waits for the form, because the list page has a field “Search name or tag”, which “Name” also matches.
    await page.getByRole('heading', { name: 'New item', level: 1 }).waitFor();
    await page.getByLabel('Name').fill('Journal');
    await page.getByLabel('Regular price').fill('19.99');
    await page.getByLabel('Currency').fill('USD');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
    await page.getByLabel('Extended price').fill('1e');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'price' }).waitFor();
    await page.getByLabel('Extended price').fill('99');
    await page.getByLabel('Category', { exact: true }).fill('Themes');
    await page.getByLabel('Thumbnail address').fill(`${site.origin}/assets/none.svg`);
    await page.getByLabel('Preview picture address').fill(`${site.origin}/assets/none.svg`);
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Saved.');
    await page.getByRole('button', { name: 'Add version' }).click();
    await page.getByLabel('Version', { exact: true }).fill('2.0.0');
    await page.getByRole('dialog').getByRole('button', { name: 'Add version' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload the file of 2.0.0' }).click();
    const file = { name: 'journal.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') };
    await (await chooser).setFiles(file);
    await page.getByText('journal.zip · 2 B').waitFor();
    await addBeta(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    await end();
  });

  it('a person finds the purchase of a host, blocks the purchase and unblocks it', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Shared theme' });
    const { id, code } = await site.purchase(site.workspaceId, itemId);
    await site.db.query(
      `insert into activations (workspace_id, purchase_id, target_hash, target_kind, target, counts,
         created_at, last_seen_at)
       select $1, $2, sha256(n::text::bytea), 'domain', 'shared-' || n || '.example', true, now(), now()
       from generate_series(1, 12) as n`,
      [site.workspaceId, id],
    );
    const key = await site.apiKey(site.workspaceId);
    const { page, end } = await site.visitAsOwner('/purchases');
    await page.getByLabel('Exact host name').fill('https://www.shared-7.example/');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Likely abuse' }).click();
    const row = page.getByRole('table', { name: 'Purchases on many hosts' }).getByRole('row').nth(1);
    await expect.poll(() => row.innerText()).toContain('12');
    await row.getByRole('button', { name: /^Block/ }).click();
    await waitForNotice(page, 'Purchase blocked.');
    await page.getByText('No purchase is on that many hosts').waitFor();
    expect(await site.validate(key, code)).toMatchObject({ status: 'error', code: 'purchase_cancelled' });
    await expectAccessible(page);
    await page.getByRole('table', { name: 'Blocked purchases' }).getByRole('link').click();
    await page.getByText('Blocked', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Unblock/ }).click();
    await waitForNotice(page, 'Purchase unblocked.');
    expect(await site.validate(key, code)).toMatchObject({ status: 'success' });
    await end();
  });

  it('a person issues, finds and refunds a purchase; validation then reports the refund', async () => {
    await site.item(site.workspaceId, { name: 'Typewriter' });
    const { page, end } = await site.visitAsOwner('/purchases');
    await page.getByRole('button', { name: 'Issue a purchase' }).first().click();
    const dialog = page.getByRole('dialog');
    await choose(page, 'Item', /Typewriter/);
    await dialog.getByLabel('Buyer’s e-mail').fill('buyer@example.com');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    const code = (await page.getByTestId('secret').innerText()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel('Complete purchase code').fill('no such code');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('None of your purchases has this code.').waitFor();
    await page.getByLabel('Complete purchase code').fill(code);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('buyer@example.com').waitFor();
    expect(page.url()).not.toContain(code);
    await page.getByRole('button', { name: 'Refund' }).click();
    await dialog.getByLabel(/^Type/).fill(code.slice(-4));
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('This state is final and cannot be changed.').waitFor();
    await page.getByRole('link', { name: 'Check a code' }).click();
    await page.getByRole('textbox', { name: 'Purchase code', exact: true }).fill(code);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('The purchase was refunded.').waitFor();
    await page.getByText('"purchase_refunded"').waitFor();
    await end();
  });
});
