// Importing, releasing hosts, replacing codes and paging long lists in the licensing panel.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { expectAccessible, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('the licensing panel (sales)', (site) => {
  it('the panel imports a file, reports wrong rows, and escapes formulas in the export', async () => {
    const itemId = await site.item(site.workspaceId);
    const { page, end } = await site.visitAsOwner('/purchases/import');
    const rows = [
      'Key;item_id;price;date;buyer_name',
      `import-1;${itemId};5;2026-01-02T00:00:00Z;=1+1+1`,
      `import-2;${itemId};much;2026-01-02T00:00:00Z;Bo`,
    ];
    const buffer = Buffer.from(rows.join('\n'));
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel('File').click();
    await (await chooser).setFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('combobox', { name: 'Column in the file: code' }).click();
    await page.getByRole('option', { name: 'Key' }).click();
    await page.getByRole('button', { name: 'Test run' }).click();
    await page.getByText('Test run finished. Nothing was changed.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Import finished').waitFor();
    const report = page.getByRole('table', { name: 'Rows with problems' });
    await report.getByRole('cell', { name: '3', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Purchases', exact: true }).click();
    await page.getByText('=1+1+1').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV, codes masked' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toContain(`'=1+1+1`);
    expect(text).not.toContain('import-1');
    await end();
  });

  it('the panel shows and releases an activated host, and limits the hosts of an item', async () => {
    const itemId = await site.item(site.workspaceId);
    const { id, code } = await site.purchase(site.workspaceId, itemId);
    const scopes = ['purchases:validate'] as const;
    const key = await site.apiKey(site.workspaceId, { kind: 'publishable', scopes, itemId });
    await site.app.inject({
      method: 'POST',
      url: '/api/v1/activations',
      headers: { 'x-api-key': key },
      payload: { purchase_code: code, domain: 'shop.example' },
    });
    const { page, end } = await site.visitAsOwner(`/purchases/${id}`);
    const card = page.getByRole('region', { name: 'In use on' });
    await card.getByText('shop.example').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await card.getByText('Released', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Test item' }).click();
    await page.getByLabel('Regular licence').fill('3');
    await page.getByRole('button', { name: 'Set limits' }).click();
    await waitForNotice(page, 'Saved.');
    await end();
  });

  it('a long list is paged by keyboard, and its filters stay in the URL after a reload', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Sold often' });
    for (let sold = 0; sold < 60; sold++) await site.purchase(site.workspaceId, itemId);
    const { page, end } = await site.visitAsOwner(`/purchases?item_id=${itemId}`);
    const rows = page.getByRole('table', { name: 'Purchases' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(11);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(11);
    expect(new URL(page.url()).searchParams.get('item_id')).toBe(String(itemId));
    await page.getByRole('button', { name: 'Previous' }).press('Enter');
    await expect.poll(() => rows.count()).toBe(51);
    await rows.nth(1).getByRole('link').press('Enter');
    await page.getByRole('heading', { name: /^Purchase/, level: 1 }).waitFor();
    await end();
  });

  it('the panel validates a purchase code, and inserts the key into the code samples', async () => {
    const key = await site.apiKey(site.workspaceId, { name: 'For samples' });
    const itemId = await site.item(site.workspaceId);
    const { code } = await site.purchase(site.workspaceId, itemId);
    const { page, end } = await site.visitAsOwner('/check');
    await page.getByRole('textbox', { name: 'Purchase code', exact: true }).fill(code);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('The purchase is active').waitFor();
    await page.getByRole('button', { name: 'Insert key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(site.owner.password);
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    for (const language of ['curl', 'JavaScript', 'PHP', 'Python']) {
      await page.getByRole('tab', { name: language }).click();
      const sample = await page.getByRole('region', { name: language, exact: true }).innerText();
      expect(sample).toContain(key);
      expect(sample).toContain(code);
    }
    await expectAccessible(page);
    await end();
  });

  it('an owner corrects the buyer of a purchase and replaces its leaked code', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Inkwell' });
    const buyer = { buyerName: 'Bo', buyerEmail: 'bo@example.com' };
    const { id, code } = await site.purchase(site.workspaceId, itemId, buyer);
    const { page, end } = await site.visitAsOwner(`/purchases/${id}`);
    await page.getByLabel('Buyer’s name').fill('Bea');
    await page.getByRole('button', { name: 'Correct buyer' }).click();
    await page.getByText('Bea · bo@example.com').waitFor();
    await page.getByRole('button', { name: 'Replace the code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the code' }).click();
    await waitForNotice(page, 'Code replaced.');
    await page.getByRole('heading', { name: code.slice(-4) }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await end();
  });
});
