// The licensing panel in German: texts, dates and amounts, and the switch back to English.
import { languages } from '@counterfoil/kit/http/headers';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { listBrokenWords } from './broken-words.ts';
import { expectAccessible, expectNoSidewaysScroll, navigate, settle, waitForNotice } from './browser.ts';
import {
  type DemoWorkspace,
  describeLicensing,
  getDemoWorkspace,
  openLicensingSite,
} from './licensing-site.ts';

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

/** Adds a host and a webhook endpoint, so that their labels are shown, and returns the paths of all pages. */
async function listPaths(page: Page, base: string, demo: DemoWorkspace): Promise<string[]> {
  const headers = { 'content-type': 'application/json' };
  const [sold] = demo.purchases;
  const activated = await page.request.post('/api/v1/activations', {
    headers: { 'x-api-key': demo.api_key },
    data: { purchase_code: sold?.purchase_code, domain: 'shop.example' },
  });
  expect(activated.ok(), await activated.text()).toBe(true);
  const [purchaseId, endpointId] = await page.evaluate(
    async ([workspace, purchase_code, more]) => {
      const found = await fetch(`/panel${workspace}/purchases?purchase_code=${purchase_code}`);
      const endpoint = { url: 'https://hooks.shop.example/', events: ['purchase.issued'] };
      const made = await fetch(`/panel${workspace}/webhooks`, {
        method: 'POST',
        headers: more,
        body: JSON.stringify(endpoint),
      });
      const { data } = await made.json();
      return [(await found.json()).data.purchases[0].id, data.endpoint.id] as number[];
    },
    [base.replace('/w/', '/workspaces/'), sold?.purchase_code ?? '', headers] as const,
  );
  const own = ['', '/items', '/items/new', '/purchases', '/purchases/import', '/abuse', '/check'];
  const settings = ['api-key', 'licences', 'webhooks', `webhooks/${endpointId}`, 'mail', 'workspace'];
  return [
    ...[...own, `/items/${demo.items[0]?.id}`, `/purchases/${purchaseId}`, '/requests', '/team', '/audit'],
    ...settings.map((name) => `/settings/${name}`),
  ].map((path) => `${base}${path}`);
}

describeLicensing(
  'the licensing panel at 380 px',
  (site) => {
    it.each(languages)('no page scrolls sideways or breaks a label inside a word (%s)', async (language) => {
      const demo = await getDemoWorkspace(site);
      const { page, end } = await site.visit(demo, '/', { width: 380 });
      await page.evaluate((chosen) => localStorage.setItem('counterfoil-language', chosen), language);
      await page.goto('/');
      await page.waitForURL(/\/w\/\d+/);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      const base = new URL(page.url()).pathname;
      const found: string[] = [];
      for (const path of [...(await listPaths(page, base, demo)), '/account']) {
        await navigate(page, path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settle(page);
        found.push(...(await listBrokenWords(page)).map((word) => `${path}: ${word}`));
        await expectNoSidewaysScroll(page);
      }
      expect(found).toEqual([]);
      await end();
    });
  },
  () => openLicensingSite({ demo: true }),
);
