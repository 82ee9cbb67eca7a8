// Every page, wide and narrow, light and dark: readable, whole, and deaf to what was planted in its data.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, inEveryLook, settle } from './browser.ts';
import { describeInBrowser } from './chromium.ts';
import { type LicensingSite, openLicensingSite } from './licensing-site.ts';
import { signIn } from './sign-in.ts';

const planted = `"><img src=x onerror="window.planted=1"><script>window.planted=1</script>{{7*7}}`;

describeInBrowser('the pages of the licensing panel', () => {
  let site: LicensingSite;
  let paths: string[] = [];

  beforeAll(async () => {
    site = await openLicensingSite({ name: planted.slice(0, 100) });
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
    await plantByPanel(itemId);
    const { rows } = await site.db.query<{ id: bigint }>('select id from webhook_endpoints');
    const base = `/w/${workspaceId}`;
    paths = [
      base,
      `${base}/items`,
      `${base}/items/new`,
      `${base}/items/${itemId}`,
      `${base}/purchases`,
      `${base}/purchases/import`,
      `${base}/purchases/${id}`,
      `${base}/check`,
      `${base}/requests`,
      `${base}/team`,
      `${base}/audit`,
      `${base}/settings/api-key`,
      `${base}/settings/webhooks`,
      `${base}/settings/webhooks/${rows[0]?.id}`,
      `${base}/settings/workspace`,
      '/account',
    ];
  });

  /** What only the panel's own API takes: the public person, its links, a version's notes. */
  async function plantByPanel(itemId: bigint): Promise<void> {
    const { page, close } = await site.visit(site.owner);
    const send = (method: string, path: string, body: object) =>
      page.evaluate(
        async ([how, where, what]) => {
          const headers = { 'content-type': 'application/json' };
          return (await fetch(where, { method: how, headers, body: what })).status;
        },
        [method, `/panel/workspaces/${site.workspaceId}${path}`, JSON.stringify(body)] as const,
      );
    const person = {
      firstname: planted,
      heading: planted,
      description: planted,
      social_links: { github: `https://x.example/${planted.replaceAll(' ', '')}` },
    };
    const version = { version: '9.0.0', notes: planted };
    const hook = {
      url: `https://hooks.shop.example/${planted.replaceAll(' ', '')}`,
      description: planted,
      events: ['purchase.issued'],
    };
    const statuses = [
      await send('PATCH', '/account', person),
      await send('POST', `/items/${itemId}/versions`, version),
      await send('POST', '/invitations', { email: '<b>x</b>@x.example', role: 'member' }),
      await send('POST', '/webhooks', hook),
    ];
    expect(statuses).toEqual([200, 200, 200, 200]);
    await close();
  }

  afterAll(() => site?.close());

  it('are whole and readable in every look, and run nothing that was planted', async () => {
    const { page, faults, close } = await site.openPage();
    const judge = () =>
      inEveryLook(page, async () => {
        await settle(page);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').waitFor();
    await judge();
    await signIn(page, site.owner);
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle(page);
      await judge();
      expect(await page.evaluate(() => 'planted' in window)).toBe(false);
      expect(faults.map((fault) => `${path}: ${fault}`)).toEqual([]);
    }
    await close();
  });

  it('on a narrow screen the navigation is in a drawer, reached by keyboard', async () => {
    const { page, faults, close } = await site.openPage({ width: 380 });
    await signIn(page, site.owner);
    await settle(page);
    const items = page.getByRole('link', { name: 'Items', exact: true });
    expect(await items.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Navigation' }).press('Enter');
    await items.press('Enter');
    await page.getByRole('heading', { name: 'Items', level: 1 }).waitFor();
    await expect.poll(() => items.isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await close();
  });

  it("another site's form, sent by a signed-in browser, changes nothing", async () => {
    const { page, close } = await site.visit(site.owner);
    const target = `${site.origin}/panel/workspaces/${site.workspaceId}/api-keys`;
    const form = `<form method="post" enctype="text/plain" action="${target}">
      <input name='{"name":"forged","x":"' value='"}'></form><script>document.forms[0].submit()</script>`;
    const evil = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(form),
    );
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    const { port } = evil.address() as AddressInfo;
    const answer = page.waitForResponse(target);
    await page.goto(`http://127.0.0.1:${port}/`);
    expect((await answer).status()).toBe(403);
    const { rows } = await site.db.query("select from api_keys where name = 'forged'");
    expect(rows).toEqual([]);
    evil.close();
    await close();
  });

  it('what is not there, or not yours, says so in words', async () => {
    const other = await site.workspace();
    const { page, close } = await site.visit(site.owner, `/w/${other}/items`);
    await page.getByText('There is nothing here').waitFor();
    await page.goto(`/w/${site.workspaceId}/items/999999`);
    await page.getByText('Item Not Found').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await expectAccessible(page);
    await close();
  });

  it('a service that is gone is said to be, and not signed in leads to sign-in and back', async () => {
    const { page, close } = await site.openPage();
    await page.goto(`/w/${site.workspaceId}/items?state=draft`);
    await page.getByLabel('E-mail').waitFor();
    await page.getByLabel('E-mail').fill(site.owner.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(site.owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**/w/${site.workspaceId}/items?state=draft`);
    await page.getByRole('heading', { name: 'Items', level: 1 }).waitFor();
    await settle(page);
    await page.route('**/panel/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Request log' }).click();
    await page.getByText('The service cannot be reached').first().waitFor({ timeout: 30_000 });
    await close();
  });
});
