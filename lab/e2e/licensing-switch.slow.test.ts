// A person is a member of two workspaces. After switching, no data of the other workspace remains.
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenPerson, type Person } from '../../services/licensing/server/test/environment/panel-browser.ts';
import { expectAccessible, settle, waitForRouter } from './browser.ts';
import { signIn } from './browsing.ts';
import { type LicensingSite, openLicensingSite } from './licensing-site.ts';

const sides = ['Heron', 'Magpie'] as const;
type Side = (typeof sides)[number];

const pages = ['', '/items', '/purchases', '/check', '/requests', '/team', '/audit'];
const settings = ['/settings/api-key', '/settings/workspace'];

describeInBrowser('the workspace switcher of the licensing panel', () => {
  let site: LicensingSite;
  let person: Person;
  const ids = { Heron: 0n, Magpie: 0n };

  beforeAll(async () => {
    site = await openLicensingSite({ empty: true });
    for (const side of sides) ids[side] = await site.workspace({ name: `${side} Studio` });
    person = await givenPerson(site, [
      { workspaceId: ids.Heron },
      { workspaceId: ids.Magpie, role: 'member' },
    ]);
    for (const side of sides) await fill(side);
  });

  afterAll(() => site?.close());

  /**
   * Creates data whose names contain the workspace's name, so that the test recognises data of the wrong
   * workspace.
   */
  async function fill(side: Side): Promise<void> {
    const workspaceId = ids[side];
    const itemId = await site.item(workspaceId, { name: `${side} item` });
    const buyerName = `${side} buyer`;
    const { code } = await site.purchase(workspaceId, itemId, {
      buyerName,
      supportedUntil: new Date(Date.now() + 5 * 86_400_000),
    });
    const key = await site.apiKey(workspaceId, { name: `${side} key` });
    await fetch(`${site.origin}/api/purchases/validation`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: new URLSearchParams({ purchase_code: code }),
    });
    await givenPerson(site, [{ workspaceId }]);
  }

  /** For each page, the data of the selected workspace that the page must list. */
  const listed: Record<string, string> = {
    '/items': 'item',
    '/purchases': 'buyer',
    '/settings/api-key': 'key',
  };

  const marks = (side: Side) => ['item', 'buyer', 'key'].map((what) => `${side} ${what}`);

  const switchTo = async (page: Page, side: Side) => {
    await page.getByRole('button', { name: 'Switch workspace' }).click();
    await page.getByRole('menuitem', { name: `${side} Studio` }).click();
    await page.waitForURL(`**/w/${ids[side]}`);
    await waitForRouter(page);
    await settle(page);
  };

  /** Records each answer from now on: its path, its cache header and its text. */
  function listen(page: Page) {
    const heard: Promise<{ path: string; text: string; cache: string | undefined }>[] = [];
    page.on('response', (response: Response) => {
      const path = new URL(response.url()).pathname;
      if (!path.startsWith('/panel/')) return;
      const cache = response.headers()['cache-control'];
      heard.push(response.text().then((text) => ({ path, text, cache })));
    });
    return heard;
  }

  const readKept = (page: Page) =>
    page.evaluate(async () => {
      const databases = await indexedDB.databases();
      const kept = [{ ...localStorage }, { ...sessionStorage }, databases, await caches.keys()];
      return JSON.stringify(kept);
    });

  it('the panel loads and shows only the selected workspace; the browser stores no data', async () => {
    const { page, end } = await site.visit(person);
    await settle(page);
    const walk = async (side: Side) => {
      for (const path of [...pages, ...settings]) {
        const link = page.locator(`nav a[href="/w/${ids[side]}${path}"]`);
        await link.click();
        await page.waitForURL(`**/w/${ids[side]}${path}`);
        await settle(page);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const own = listed[path];
        if (own) await page.getByText(`${side} ${own}`).first().waitFor();
        const shown = await page.content();
        const other = side === 'Heron' ? 'Magpie' : 'Heron';
        for (const mark of marks(other)) expect(shown, path).not.toContain(mark);
      }
    };
    await walk('Heron');
    await switchTo(page, 'Magpie');
    const heard = listen(page);
    await walk('Magpie');
    const answers = await Promise.all(heard);
    expect(answers.length).toBeGreaterThan(5);
    for (const { path, text, cache } of answers) {
      expect(path).not.toContain(`/workspaces/${ids.Heron}/`);
      for (const mark of marks('Heron')) expect(text).not.toContain(mark);
      expect(cache).toContain('no-store');
    }
    const kept = await readKept(page);
    for (const side of sides) for (const mark of marks(side)) expect(kept).not.toContain(mark);
    expect(await page.getByRole('button', { name: 'Generate a key' }).count()).toBe(0);
    await expectAccessible(page);
    await end();
  });

  it('the panel changes only the selected workspace', async () => {
    const { page, end } = await site.visit(person, `/w/${ids.Heron}/items/new`);
    await page.getByLabel('Name').fill('Half typed in Heron');
    await switchTo(page, 'Magpie');
    await page.getByRole('link', { name: 'Items', exact: true }).click();
    await page.getByRole('link', { name: 'New item' }).first().click();
    await page.getByRole('heading', { name: 'New item', level: 1 }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    await page.getByLabel('Name').fill('Made in Magpie');
    await page.getByLabel('Currency').fill('USD');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { name: 'Made in Magpie', level: 1 }).waitFor();
    const namesOf = (side: Side) => page.evaluate(async (path) => (await fetch(path)).text(), itemsOf(side));
    expect(await namesOf('Magpie')).toContain('Made in Magpie');
    expect(await namesOf('Heron')).not.toContain('Made in Magpie');
    expect(await namesOf('Heron')).not.toContain('Half typed');
    await end();
  });

  const itemsOf = (side: Side) => `/panel/workspaces/${ids[side]}/items`;

  it('the panel shows no data of the previous person to the next person in the same browser', async () => {
    const magpieOnly = await givenPerson(site, [{ workspaceId: ids.Magpie }]);
    const { page, end } = await site.visit(person, `/w/${ids.Heron}/items`);
    await page.getByRole('link', { name: 'Heron item' }).waitFor();
    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await signIn(page, magpieOnly);
    await page.waitForURL(`**/w/${ids.Magpie}`);
    await settle(page);
    expect(await page.content()).not.toContain('Heron');
    const answer = await page.evaluate(async (path) => (await fetch(path)).status, itemsOf('Heron'));
    expect(answer).toBe(404);
    await page.goto(`/w/${ids.Heron}/items`);
    await page.getByText('Page not found').waitFor();
    expect(await page.content()).not.toContain('Heron item');
    await end();
  });
});
