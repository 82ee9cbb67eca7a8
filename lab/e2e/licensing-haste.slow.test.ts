// Fast clicks, two tabs and the back button in the licensing panel neither duplicate nor lose anything.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, settle, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

/** Delays each page of the router after its address has changed. On a slow device, pages appear late too. */
async function delayPages(page: Page, delayMs = 400): Promise<void> {
  await page.evaluate((ms) => {
    type Start = (...change: unknown[]) => Promise<unknown>;
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      __TSR_ROUTER__: { startTransition: Start };
    };
    let start = router.startTransition;
    Object.defineProperty(router, 'startTransition', {
      get:
        (): Start =>
        (...change) =>
          new Promise((resolve) => void setTimeout(() => resolve(start(...change)), ms)),
      set: (next: Start) => {
        start = next;
      },
    });
  }, delayMs);
}

describeLicensing('the licensing panel (fast use)', (site) => {
  const open = async (path: string) => {
    const watched = await site.visitAsOwner(path);
    await settle(watched.page);
    return watched;
  };

  it('the panel generates only one key after a double click', async () => {
    const { page, end } = await open('/settings/api-key');
    await page.getByRole('button', { name: 'Generate a key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Only once');
    await dialog.getByRole('button', { name: 'Generate a key' }).dblclick();
    await dialog.getByTestId('secret').waitFor();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'Only once' });
    await row.first().waitFor();
    expect(await row.count()).toBe(1);
    await end();
  });

  it('the search field keeps a trailing space when the search is sent', async () => {
    await site.item(site.workspaceId, { name: 'Ink in water' });
    const { page, close } = await open('/items');
    const search = page.getByLabel('Search name or tag');
    await search.pressSequentially('ink ');
    await page.waitForURL(/search=ink$/);
    await settle(page);
    await search.pressSequentially('in');
    expect(await search.inputValue()).toBe('ink in');
    await page.getByRole('link', { name: 'Ink in water' }).waitFor();
    await close();
  });

  it('filters and typed letters are kept while an earlier change of the list appears', async () => {
    await site.item(site.workspaceId, { name: 'Marbled paper', kind: 'audio' });
    const { page, close } = await open('/items');
    await delayPages(page);
    const search = page.getByLabel('Search name or tag');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Audio' }).click();
    await search.pressSequentially('marbled', { delay: 300 });
    await page.waitForURL(/kind=audio&search=marbled$/);
    await settle(page);
    expect(await search.inputValue()).toBe('marbled');
    await page.getByRole('link', { name: 'Marbled paper' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await search.pressSequentially('paper');
    await page.waitForURL(/kind=audio&search=paper$/);
    await settle(page);
    expect(await search.inputValue()).toBe('paper');
    await page.goBack();
    await page.waitForURL(/kind=audio&search=marbled$/);
    await expect.poll(() => search.inputValue()).toBe('marbled');
    await close();
  });

  it('a text that is typed just before the browser goes back is not applied', async () => {
    await site.item(site.workspaceId, { name: 'Blotting paper' });
    const { page, close } = await open('/items?search=blotting');
    await page.evaluate(() => history.pushState(history.state, '', '?search=blot'));
    const search = page.getByLabel('Search name or tag');
    await expect.poll(() => search.inputValue()).toBe('blot');
    await page.clock.install();
    await search.pressSequentially('s');
    await page.goBack();
    await page.waitForURL(/search=blotting$/);
    await expect.poll(() => search.inputValue()).toBe('blotting');
    await page.clock.runFor(1000);
    expect(await search.inputValue()).toBe('blotting');
    expect(page.url()).toMatch(/search=blotting$/);
    await close();
  });

  it('a text that is typed just before another page is opened is not applied to that page', async () => {
    await site.item(site.workspaceId, { name: 'Tracing paper' });
    // The code of both pages is loaded before the page's clock stops.
    const { page, close } = await open('/purchases');
    await page.getByRole('link', { name: 'Items', exact: true }).click();
    await page.getByRole('link', { name: 'Tracing paper' }).waitFor();
    await settle(page);
    await delayPages(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel('Search name or tag').pressSequentially('tracing');
    await page.getByRole('link', { name: 'Purchases', exact: true }).click();
    await page.waitForURL(/\/purchases$/);
    await page.clock.runFor(1000);
    await page.clock.resume();
    await page.getByRole('heading', { name: 'Purchases', level: 1 }).waitFor();
    expect(page.url()).toMatch(/\/purchases$/);
    await close();
  });

  it('“Next” does nothing while the list of an earlier filter is still shown', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Sold by the ream' });
    for (let sale = 0; sale < 101; sale += 1) await site.purchase(site.workspaceId, itemId);
    const { page, close } = await open('/purchases');
    await delayPages(page, 600_000);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Active', exact: true }).click();
    await page.waitForURL(/state=active$/);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Items', exact: true }).click();
    await page.waitForURL(/\/items$/);
    await page.goBack();
    await page.waitForURL(/\/purchases\?/);
    expect(page.url()).toMatch(/state=active$/);
    await close();
  });

  it('“Previous” shows the previous page of a list, even after the browser’s back button', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Sold a lot' });
    for (let sale = 0; sale < 101; sale += 1) await site.purchase(site.workspaceId, itemId);
    const { page, close } = await open('/purchases');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/cursor=/);
    // The address changes before the page shows the new rows. Until then, its buttons use the old cursor.
    await settle(page);
    const second = page.url();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL((url) => url.href !== second);
    await settle(page);
    await page.goBack();
    await page.waitForURL(second);
    await settle(page);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.waitForURL((url) => !url.search.includes('cursor'));
    await close();
  });

  it('the panel restores filters and search when the browser goes back or forward', async () => {
    await site.item(site.workspaceId, { name: 'Quill', kind: 'audio' });
    const { page, end } = await open('/items');
    const kind = page.getByRole('combobox', { name: 'Kind' });
    const chosen = () => kind.inputValue();
    const searched = () => page.getByLabel('Search name or tag').inputValue();
    const shown = (name: string) => page.getByRole('link', { name, exact: true });
    const choose = async (name: string) => {
      await kind.click();
      await page.getByRole('option', { name }).click();
    };
    await choose('Audio');
    await page.waitForURL(/kind=audio/);
    await page.getByLabel('Search name or tag').pressSequentially('quil', { delay: 300 });
    await page.waitForURL(/search=quil$/);
    await choose('Video');
    await page.getByText('No matches').waitFor();
    await page.goBack();
    await page.waitForURL(/kind=audio.*search=quil|search=quil.*kind=audio/);
    await shown('Quill').waitFor();
    await expect.poll(chosen).toBe('Audio');
    await expect.poll(searched).toBe('quil');
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
    await expect.poll(chosen).toBe('');
    await expect.poll(searched).toBe('');
    await page.goForward();
    await page.waitForURL(/search=quil/);
    await expect.poll(chosen).toBe('Audio');
    await end();
  });

  it('the panel keeps typed text after a version was added and after a change in another tab', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Two tabs', state: 'draft' });
    const { page, end, context } = await open(`/items/${itemId}`);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByLabel('Category', { exact: true }).fill('Themes');
    await page.getByLabel('Description').fill('Half a sentence');
    await page.getByRole('button', { name: 'Add version' }).click();
    await page.getByLabel('Version', { exact: true }).fill('3.0.0');
    await page.getByRole('dialog').getByRole('button', { name: 'Add version' }).click();
    await page.getByText('Item', { exact: false }).filter({ hasText: '3.0.0' }).first().waitFor();
    await settle(page);
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a sentence');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Saved.');
    await other.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(other, 'Saved.');
    await page.reload();
    await settle(page);
    expect(await page.getByLabel('Description').inputValue()).toBe('Half a sentence');
    expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('Themes');
    await end();
  });

  it('the panel removes the secret from the code samples when another key is chosen', async () => {
    await site.apiKey(site.workspaceId, { name: 'First of two' });
    const secret = await site.apiKey(site.workspaceId, { name: 'Second of two' });
    const { page, close } = await open('/check');
    const choose = async (name: RegExp) => {
      await page.getByRole('combobox', { name: 'Which key?' }).click();
      await page.getByRole('option', { name }).click();
    };
    await choose(/Second of two/);
    await page.getByRole('button', { name: 'Insert key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(site.owner.password);
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('tabpanel').getByText(secret).waitFor();
    await choose(/First of two/);
    await page.getByRole('tabpanel').getByText('YOUR_API_KEY').waitFor();
    expect(await page.content()).not.toContain(secret);
    await close();
  });

  it('the panel does not publish an incomplete item, and names the missing fields', async () => {
    const itemId = await site.item(site.workspaceId, { name: 'Bare', state: 'draft' });
    const { page, close } = await open(`/items/${itemId}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Not published' });
    await dialog.getByText('Thumbnail address').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  it('the panel reports that signing out failed if the service is unreachable', async () => {
    const { page, context, close } = await open('');
    await context.route('**/panel/session', (route) => route.abort());
    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await waitForNotice(page, 'The service cannot be reached');
    await close();
  });
});
