// The licensing panel in German: texts, dates and amounts, and the switch back to English.
import { expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('the licensing panel in German', (site) => {
  it('the panel switches to German dates and amounts, and back to English', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Theme' });
    const purchasedAt = new Date('2025-03-09T12:00:00Z');
    await site.purchase(site.workspaceId, itemId, {
      purchasedAt,
      priceMinor: 123_450n,
      currency: 'EUR',
    });
    const { page, end } = await site.visitAsOwner('/purchases', { width: 380 });
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /Menu of|Menü von/ }).press('Enter');
      await page.getByRole('menuitem', { name }).press('Enter');
    };
    await page.getByText('€1,234.50').waitFor();
    await page.getByText('Mar 9, 2025').waitFor();

    await choose('Deutsch');
    await page.getByRole('heading', { name: 'Käufe', level: 1 }).waitFor();
    await page.getByText(/^1\.234,50\s€$/).waitFor();
    await page.getByText('09.03.2025').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.title()).toBe('Käufe · Lizenzen');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // The German panel accepts amounts with a decimal comma.
    await page.goto(`/w/${site.workspaceId}/settings/workspace`);
    await page.getByLabel('Betrag').fill('1234,50');
    await page.getByRole('button', { name: 'Kontostand festlegen' }).click();
    await waitForNotice(page, 'Kontostand festgelegt.');
    await page.getByText(/^1\.234,50\s/).waitFor();
    expect(await page.getByLabel('Betrag').inputValue()).toBe('1234,50');

    await choose('English');
    await page.getByRole('heading', { name: 'Workspace', level: 1 }).waitFor();
    await page.getByText('1,234.50').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await end();
  });
});
