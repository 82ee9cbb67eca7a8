// Opens every page of the licensing panel with markup in its data: pages load completely, and no markup runs.
import { beforeAll, expect, it } from 'vitest';
import {
  allLooks,
  expectAccessible,
  expectNoSidewaysScroll,
  inLooks,
  type Look,
  looksOf,
  navigate,
  settle,
} from './browser.ts';
import { signIn } from './browsing.ts';
import { describeLicensing, type LicensingSite, openLicensingSite } from './licensing-site.ts';

const planted = `"><img src=x onerror="window.planted=1"><script>window.planted=1</script>{{7*7}}`;

/** Plants markup in every text that a page shows, and returns the paths of the pages. */
async function plantMarkup(site: LicensingSite): Promise<string[]> {
  const { workspaceId } = site;
  const itemId = await site.item(workspaceId, {
    name: planted,
    description: planted,
    category: planted,
    tags: [planted.slice(0, 90)],
    demoLink: `javascript:window.planted=1`,
  });
  const { id } = await site.purchase(workspaceId, itemId, {
    buyerName: planted,
    supportedUntil: new Date(Date.now() + 5 * 86_400_000),
  });
  const key = await site.apiKey(workspaceId, { name: planted.slice(0, 100) });
  await fetch(`${site.origin}/api/purchases/validation`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: new URLSearchParams({ purchase_code: planted }),
  });
  await plantThroughPanel(site, itemId);
  const { rows: pools } = await site.db.query<{ id: bigint }>('select id from code_pools');
  const poolId = pools[0]?.id;
  const { rows } = await site.db.query<{ id: bigint }>('select id from webhook_endpoints');
  const base = `/w/${workspaceId}`;
  return [
    base,
    `${base}/items`,
    `${base}/items/new`,
    `${base}/items/${itemId}`,
    `${base}/purchases`,
    `${base}/purchases/import`,
    `${base}/purchases/${id}`,
    `${base}/pools`,
    `${base}/pools/${poolId}`,
    `${base}/abuse`,
    `${base}/check`,
    `${base}/requests`,
    `${base}/team`,
    `${base}/audit`,
    `${base}/settings/api-key`,
    `${base}/settings/licences`,
    `${base}/settings/webhooks`,
    `${base}/settings/mail`,
    `${base}/settings/webhooks/${rows[0]?.id}`,
    `${base}/settings/workspace`,
    '/account',
  ];
}

/** Writes markup through the panel's API: into the account, a version, an invitation and an endpoint. */
async function plantThroughPanel(site: LicensingSite, itemId: bigint): Promise<void> {
  const { page, close } = await site.visit(site.owner);
  const send = (method: string, path: string, body: object) =>
    page.evaluate(
      async ([how, where, what]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(where, { method: how, headers, body: what })).status;
      },
      [method, `/panel/workspaces/${site.workspaceId}${path}`, JSON.stringify(body)] as const,
    );
  const account = {
    firstname: planted,
    heading: planted,
    description: planted,
    social_links: { github: `https://x.example/${planted.replaceAll(' ', '')}` },
  };
  const version = { version: '9.0.0', notes: planted };
  const endpoint = {
    url: `https://hooks.shop.example/${planted.replaceAll(' ', '')}`,
    description: planted,
    events: ['purchase.issued'],
  };
  const statuses = [
    await send('PATCH', '/account', account),
    await send('POST', `/items/${itemId}/versions`, version),
    await send('POST', '/pools', { item_id: Number(itemId), name: planted.slice(0, 100) }),
    await send('POST', '/invitations', { email: '<b>x</b>@x.example', role: 'member' }),
    await send('POST', '/webhooks', endpoint),
  ];
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  await close();
}

/** Declares the tests. Axe checks every page at both widths and in both colour schemes. */
export function describeLicensingPages(): void {
  const open = () => openLicensingSite({ name: planted.slice(0, 100) });
  const describePages = (site: LicensingSite) => {
    let paths: string[] = [];

    beforeAll(async () => {
      paths = await plantMarkup(site);
    });

    it('the pages load completely and show markup in data as text', async () => {
      const { page, faults, close } = await site.openPage();
      const checkLooks = (looks: readonly Required<Look>[], isReady: () => Promise<void>) =>
        inLooks(page, looks, async () => {
          await isReady();
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
        });
      await page.goto('/sign-in');
      // This check does not call `settle`: `settle` waits for a router, and the sign-in page has none.
      await checkLooks(allLooks, () => page.getByLabel('E-mail').waitFor());
      await signIn(page, site.owner);
      for (const [position, path] of paths.entries()) {
        await navigate(page, path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settle(page);
        await checkLooks(looksOf(position), () => settle(page));
        expect(await page.evaluate(() => 'planted' in window)).toBe(false);
        expect(faults.map((fault) => `${path}: ${fault}`)).toEqual([]);
      }
      await close();
    });

    it('the buyer portal is accessible at every width, and shows markup in data as text', async () => {
      const buyerEmail = 'pages@buyers.example';
      const { workspaceId } = site;
      const itemId = await site.item(workspaceId, { name: planted });
      const { id, code } = await site.purchase(workspaceId, itemId, { buyerEmail });
      const { page, end } = await site.openPage();
      const check = () =>
        inLooks(page, allLooks, async () => {
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
        });
      await page.goto('/buyers#token=none');
      await page.getByRole('button', { name: 'Open my purchases' }).click();
      await page.getByText('The link was already used or has expired.').waitFor();
      await check();
      await page.goto('/buyers');
      await page.getByLabel('E-mail').fill(buyerEmail);
      await page.getByLabel('Purchase code').fill(code);
      await check();
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByRole('link', { name: /^Details of/ }).waitFor();
      await check();
      await page.goto(`/buyers#${workspaceId}/${id}`);
      await page.getByTestId('code').waitFor();
      await page.getByRole('button', { name: 'Replace the code', exact: true }).click();
      await check();
      expect(await page.evaluate(() => 'planted' in window)).toBe(false);
      await end();
    });
  };
  describeLicensing('the pages of the licensing panel', describePages, open);
}
