// Takes the screenshots of the licensing panel for the docs and for review.
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import { afterAll, beforeAll, it, vi } from 'vitest';
import { settle } from './browser.ts';
import { signIn } from './browsing.ts';
import {
  type DemoWorkspace,
  getDemoWorkspace,
  type LicensingSite,
  openLicensingSite,
} from './licensing-site.ts';
import { pictureLooks, takePicture } from './pictures.ts';

const pages = {
  dashboard: '',
  items: '/items',
  'new-item': '/items/new',
  item: '/items/1',
  purchases: '/purchases',
  'import-purchases': '/purchases/import',
  purchase: '/purchases/1',
  check: '/check',
  requests: '/requests',
  team: '/team',
  audit: '/audit',
  'api-key': '/settings/api-key',
  workspace: '/settings/workspace',
};

describeInBrowser('pictures of the licensing panel', () => {
  let site: LicensingSite;
  let demo: DemoWorkspace;

  beforeAll(async () => {
    site = await openLicensingSite({ demo: true });
    demo = await getDemoWorkspace(site);
    await makeTraffic();
  });

  afterAll(() => site?.close());

  /** Creates a day of validations and some current calls. */
  async function makeTraffic(): Promise<void> {
    await site.db.query(
      `update purchases set supported_until = now() + id * interval '3 days'
       where workspace_id = 1 and state = 'active' and supported_until is not null`,
    );
    for (const { purchase_code } of [...demo.purchases, { purchase_code: 'mistyped' }]) {
      await fetch(`${site.origin}/api/purchases/validation`, {
        method: 'POST',
        headers: { 'x-api-key': demo.api_key },
        body: new URLSearchParams({ purchase_code }),
      });
    }
    // The rows below need a partition of the table. The service creates this partition when it writes its
    // first count, so the script waits for the first count.
    const count = async () => (await site.db.query('select from validation_hours')).rows.length;
    await vi.waitUntil(async () => (await count()) > 0, { timeout: 20_000, interval: 200 });
    await site.db.query(
      `insert into validation_hours (workspace_id, hour, item_id, valid, invalid)
       select 1, date_trunc('hour', now()) - hour * interval '1 hour', 1,
         (60 + 45 * sin(hour / 3.2) + (hour * 7) % 11)::bigint,
         (7 + 5 * cos(hour / 2.5))::bigint
       from generate_series(1, 23) as hour
       where date_trunc('month', now()) <= date_trunc('hour', now()) - hour * interval '1 hour'`,
    );
  }

  it.each(pictureLooks)('pictures are taken at $width px in the $scheme colour scheme', async (look) => {
    const { page, context } = await site.openPage(look);
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').waitFor();
    await takePicture(page, { panel: 'licensing', name: 'sign-in', ...look });
    await signIn(page, demo);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`/w/1${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle(page);
      if (name === 'check') {
        await page.getByLabel('Purchase code').fill(demo.purchases[0]?.purchase_code ?? '');
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByText('The purchase is active').waitFor();
      }
      await takePicture(page, { panel: 'licensing', name, ...look });
    }
    await page.goto('/account');
    await settle(page);
    await takePicture(page, { panel: 'licensing', name: 'account', ...look });
    await context.close();
  });
});
