// A session ends while a person fills in a form. The same person can continue; another person does not see
// the form.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { givenPerson, type Person } from '../../services/licensing/server/test/environment/panel-browser.ts';
import { expectAccessible, settle, waitForNotice } from './browser.ts';
import { signIn } from './browsing.ts';
import { describeLicensing } from './licensing-site.ts';

const secret = 'Half a sentence that nobody else may read';

describeLicensing('the licensing panel (after the end of a session)', (site) => {
  const givenItem = () => site.item(site.workspaceId, { name: 'Journal' });

  const open = async (path: string) => {
    const person = await givenPerson(site, [{ workspaceId: site.workspaceId }]);
    // Opens the panel's first page before the given page, so that the back button stays in the panel.
    const watched = await site.visit(person);
    await watched.page.goto(`/w/${site.workspaceId}${path}`);
    await settle(watched.page);
    return { ...watched, person };
  };

  const endSessions = (person: Person) =>
    site.db.query('delete from sessions where person_id = $1', [person.id]);

  const lockOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

  const signInAgain = async (page: Page, person: Person) => {
    const lock = lockOf(page);
    await lock.getByLabel('E-mail').fill(person.email);
    await lock.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await lock.getByRole('button', { name: 'Sign in' }).click();
  };

  const readItem = (page: Page, itemId: bigint) => {
    const path = `/panel/workspaces/${site.workspaceId}/items/${itemId}`;
    return page.evaluate(async (address) => (await fetch(address)).text(), path);
  };

  it('after a session ends, the person can sign in again on the page, and typed text stays', async () => {
    const itemId = await givenItem();
    const { page, end, person } = await open(`/items/${itemId}`);
    await page.getByLabel('Description').fill(secret);
    await endSessions(person);
    await page.getByRole('button', { name: 'Save' }).click();
    const lock = lockOf(page);
    await lock.waitFor();
    expect(await lock.getByLabel('E-mail').inputValue()).toBe(person.email);
    expect(await page.getByRole('heading', { name: 'Journal' }).isVisible()).toBe(false);
    await expectAccessible(page);
    await lock.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
    await lock.getByRole('button', { name: 'Sign in' }).click();
    await lock.getByRole('alert').waitFor();
    await signInAgain(page, person);
    await lock.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Description').inputValue()).toBe(secret);
    // A refused change is not sent again automatically, because it may be outdated by the time the person has
    // signed in again.
    expect(await readItem(page, itemId)).not.toContain(secret);
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Saved.');
    expect(await readItem(page, itemId)).toContain(secret);
    await end();
  });

  it('an open dialog and its text stay until the person signs in again, even after Escape', async () => {
    const { page, end, person } = await open('/team');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('E-mail').fill('late@example.com');
    await endSessions(person);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const lock = lockOf(page);
    await lock.waitFor();
    expect(await dialog.isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await lock.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.keyboard.press('Enter');
    await lock.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('late@example.com');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.getByTestId('secret').waitFor();
    await end();
  });

  it('if another person signs in, the panel hides the page, even after the back button', async () => {
    const elsewhere = await site.workspace({ name: 'Elsewhere' });
    const other = await givenPerson(site, [{ workspaceId: elsewhere }]);
    const itemId = await givenItem();
    const { page, close, person } = await open(`/items/${itemId}`);
    await page.getByLabel('Description').fill(secret);
    await page.evaluate(() => Object.assign(window, { before: true }));
    await endSessions(person);
    await page.getByRole('button', { name: 'Save' }).click();
    await lockOf(page).waitFor();
    await signInAgain(page, other);
    await page.waitForURL(`**/w/${elsewhere}`);
    await settle(page);
    const expectNothing = async () => {
      expect(await page.evaluate(() => 'before' in window)).toBe(false);
      const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      const all = `${await page.content()}${kept}`;
      for (const text of [secret, 'Journal', person.email]) expect(all).not.toContain(text);
    };
    await expectNothing();
    await page.goBack();
    await settle(page);
    await expectNothing();
    expect((await readItem(page, itemId)).includes('Journal')).toBe(false);
    await close();
  });

  it('the panel clears the first tab when another person has used a second tab to sign in', async () => {
    const elsewhere = await site.workspace({ name: 'Elsewhere' });
    const other = await givenPerson(site, [{ workspaceId: elsewhere }]);
    const itemId = await givenItem();
    const { page, context, close } = await open(`/items/${itemId}`);
    await page.getByLabel('Description').fill(secret);
    const second = await context.newPage();
    await second.goto('/account');
    await second.getByRole('button', { name: /Menu of/ }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.getByLabel('E-mail').waitFor();
    await signIn(second, other);
    await page.bringToFront();
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.waitForURL(`**/w/${elsewhere}`);
    await settle(page);
    expect(await page.content()).not.toContain('Journal');
    await close();
  });
});
