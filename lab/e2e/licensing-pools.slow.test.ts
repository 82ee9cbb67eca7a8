// A seller creates a pool of codes in the panel, fills it, hands out a code and withdraws the others.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('pools of codes in the panel', (site) => {
  it('an owner creates, fills and exports a pool, hands out a code and withdraws the rest', async () => {
    const { workspaceId } = site;
    const itemId = await site.item(workspaceId, { name: 'Theme', priceRegularMinor: 1999n });
    const { code: sold } = await site.purchase(workspaceId, itemId);
    const key = await site.apiKey(workspaceId);
    const { page, end } = await site.visitAsOwner('/pools');
    const dialog = page.getByRole('dialog');
    const figure = (label: string) => page.locator('.cf-figure').filter({ hasText: label });

    await page.getByRole('button', { name: 'Create a pool' }).first().click();
    await dialog.getByRole('combobox', { name: 'Item' }).click();
    await page.getByRole('option', { name: /Theme/ }).click();
    await dialog.getByLabel('Name').fill('Spring bundle');
    await dialog.getByLabel('Price of the purchases').fill('9,50');
    await dialog.getByLabel('Report fewer free codes than').fill('5');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create a pool' }).click();
    await page.getByRole('alert').filter({ hasText: /price/i }).waitFor();
    await dialog.getByLabel('Price of the purchases').fill('9.50');
    await dialog.getByRole('button', { name: 'Create a pool' }).click();
    await page.getByRole('heading', { name: 'Spring bundle', level: 1 }).waitFor();
    await page.getByText('$9.50').waitFor();

    await page.getByLabel('Number of codes').fill('3');
    await page.getByRole('button', { name: 'Generate codes' }).click();
    await waitForNotice(page, 'Codes generated.');
    await figure('Free').getByText('3', { exact: true }).waitFor();

    await page.getByLabel('Codes, one per line').fill(`own-code-1\n\n=own-code-2\nOWN-code-1\n${sold}`);
    await page.getByRole('button', { name: 'Add your own codes' }).click();
    await page.getByText('2 codes were added. 2 codes were refused.').waitFor();
    const refused = page.getByRole('table', { name: 'Refused codes' });
    await refused.getByRole('row', { name: /^4 .*Repeated in this list/ }).waitFor();
    await refused.getByRole('row', { name: /^5 .*Belongs to a purchase/ }).waitFor();
    await figure('Free').getByText('5', { exact: true }).waitFor();
    await expectAccessible(page);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export free codes' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe('code');
    expect(lines.slice(4)).toEqual(['own-code-1', `'=own-code-2`]);
    expect(await site.validate(key, lines[1] ?? '')).toMatchObject({ code: 'purchase_not_found' });

    await page.getByRole('button', { name: 'Hand out a code' }).click();
    await dialog.getByLabel('Buyer’s name').fill('Bo Ek');
    await dialog.getByRole('button', { name: 'Hand out a code' }).click();
    const code = (await page.getByTestId('secret').innerText()).trim();
    expect(code).toBe(lines[1]);
    expect(await site.validate(key, code)).toMatchObject({ status: 'success' });
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Few codes left').waitFor();
    await figure('Handed out').getByText('1', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Withdraw free codes' }).click();
    await dialog.getByText('4 free codes are withdrawn permanently').waitFor();
    await dialog.getByRole('textbox').fill('Spring bundle');
    await dialog.getByRole('button', { name: 'Withdraw free codes' }).click();
    await waitForNotice(page, 'Free codes withdrawn.');
    await figure('Withdrawn').getByText('4', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Hand out a code' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Code pools' }).click();
    await page.getByRole('row', { name: /Spring bundle.*Theme/ }).waitFor();
    await end();
  });

  it('the page of a pool fits a narrow screen in German', async () => {
    const { workspaceId } = site;
    const itemId = await site.item(workspaceId);
    const poolId = await site.db.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: bigint }>(
        `insert into code_pools (workspace_id, name, item_id, license_type, price_minor, currency,
           low_stock_below, created_at, updated_at)
         values ($1, 'Narrow', $2, 'Regular', 100, 'EUR', 0, now(), now()) returning id`,
        [workspaceId, itemId],
      );
      return rows[0]?.id;
    });
    const { page, end } = await site.visitAsOwner(`/pools/${poolId}`, { width: 380 });
    await page.getByRole('link', { name: 'Export free codes' }).waitFor();
    await page.getByRole('button', { name: /Menu of/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Deutsch' }).press('Enter');
    await page.getByRole('button', { name: 'Codes erzeugen' }).waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await end();
  });
});
