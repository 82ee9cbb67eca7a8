// The wallet panel in German: texts, dates and amounts, and the switch back to English.
import { expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, waitForNotice } from './browser.ts';
import { describeWallet } from './wallet-site.ts';

describeWallet('the wallet panel in German', (site) => {
  it('the panel switches to German, accepts amounts with a comma, and switches back', async () => {
    const { page, end } = await site.visit(site.owner, `/p/${site.of.id}/credit`, {
      scheme: 'dark',
    });
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /Menu of|Menü von/ }).press('Enter');
      await page.getByRole('menuitem', { name }).press('Enter');
    };
    await page.getByText('1,000.00 EUR', { exact: true }).waitFor();

    await choose('Deutsch');
    await page.getByRole('heading', { name: 'Guthaben', level: 1 }).waitFor();
    await page.getByText('1.000,00 EUR', { exact: true }).waitFor();
    await page.getByText('+1.000,00', { exact: true }).waitFor();
    await page.getByText(/^vor \d+ (?:Sekunden?|Minuten?)$/).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const warnAt = page.getByLabel('Warnen bei');
    const save = page.getByRole('button', { name: 'Speichern' });
    // This amount is ambiguous: a thousand for a German reader, one for a program. The panel refuses it.
    await warnAt.fill('1.000');
    await save.click();
    await page.getByRole('alert').waitFor();
    await warnAt.fill('1234,50');
    await save.click();
    await waitForNotice(page, 'Schwelle gespeichert.');
    const { rows } = await site.db.query('select alert_threshold as minor from packages where id = $1', [
      site.of.id,
    ]);
    expect(rows).toEqual([{ minor: 123_450n }]);

    await choose('English');
    await page.getByRole('heading', { name: 'Credit', level: 1 }).waitFor();
    await page.getByText('1,000.00 EUR', { exact: true }).waitFor();
    expect(await page.getByLabel('Warn at').inputValue()).toBe('1234.50');
    await end();
  });
});
