// Checks every page of the licensing panel with axe, at both widths and in both colour schemes. Also tests
// the navigation drawer and error pages.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { expectAccessible, settle } from './browser.ts';
import { signIn } from './browsing.ts';
import { describeLicensingPages } from './licensing-pages.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensingPages();

describeLicensing('the licensing panel (navigation and error pages)', (site) => {
  it('on a narrow screen, the navigation is in a drawer that a person can use by keyboard', async () => {
    const { page, end } = await site.openPage({ width: 380 });
    await signIn(page, site.owner);
    await settle(page);
    const items = page.getByRole('link', { name: 'Items', exact: true });
    expect(await items.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Navigation' }).press('Enter');
    await items.press('Enter');
    await page.getByRole('heading', { name: 'Items', level: 1 }).waitFor();
    await expect.poll(() => items.isVisible()).toBe(false);
    await end();
  });

  it('the panel and the sign-in page use the chosen appearance instead of the system’s', async () => {
    const { page, close } = await site.visit(site.owner);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Menu of' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await expect.poll(background).not.toBe(light);
    const dark = await background();
    await page.reload();
    await settle(page);
    expect(await background()).toBe(dark);
    await expectAccessible(page);
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').waitFor();
    expect(await background()).toBe(dark);
    await expectAccessible(page);
    await close();
  });

  it('the service refuses a form that another site submits in a signed-in browser', async () => {
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
    // This page of another site submits its form as soon as it loads.
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' });
    expect((await answer).status()).toBe(403);
    const { rows } = await site.db.query("select from api_keys where name = 'forged'");
    expect(rows).toEqual([]);
    evil.close();
    await close();
  });

  it('the panel shows a message for missing pages and for pages of another workspace', async () => {
    const other = await site.workspace();
    const { page, close } = await site.visit(site.owner, `/w/${other}/items`);
    await page.getByText('Page not found').waitFor();
    await page.goto(`/w/${site.workspaceId}/items/999999`);
    await page.getByText('Item Not Found').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await expectAccessible(page);
    await close();
  });

  it('the panel opens the requested page after sign-in, and reports an unreachable service', async () => {
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
    await page.getByText('The service cannot be reached').first().waitFor();
    await close();
  });
});
