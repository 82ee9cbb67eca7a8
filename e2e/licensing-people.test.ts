// People in the panel: an invitation is passed on, a second factor set up, sessions ended, passwords changed.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenPerson } from '../licensing/server/test/panel-browser.ts';
import { readCode } from './authenticator.ts';
import { expectAccessible, launchBrowser, openPage } from './browser.ts';
import { describeInBrowser } from './chromium.ts';
import { type LicensingSite, openLicensingSite } from './licensing-site.ts';
import { signIn } from './sign-in.ts';

describeInBrowser('people in the licensing panel', () => {
  let site: LicensingSite;
  let browser: Browser;

  beforeAll(async () => {
    site = await openLicensingSite();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it('an invitation link lets one person in, once, and the audit log tells of it', async () => {
    const { page, faults, context } = await openPage(browser, site.origin);
    await signIn(page, site.owner);
    await page.goto(`/w/${site.workspaceId}/team`);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('E-mail').fill('bo@example.com');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = (await page.getByTestId('secret').innerText()).trim();
    await expectAccessible(page);

    const guest = await openPage(browser, site.origin);
    await guest.page.goto(link);
    await guest.page.getByText('Join as bo@example.com').waitFor();
    expect(guest.page.url()).not.toContain('token');
    await expectAccessible(guest.page);
    await guest.page.getByLabel('Your name').fill('Bo');
    await guest.page.getByRole('textbox', { name: 'Password' }).fill('a long and quiet evening');
    await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await guest.page.waitForURL(`**/w/${site.workspaceId}`);
    await guest.page.goto(`/w/${site.workspaceId}/settings/api-key`);
    await guest.page.getByRole('heading', { name: 'API key', exact: true }).waitFor();
    expect(await guest.page.getByRole('button', { name: 'Generate a key' }).count()).toBe(0);

    const late = await openPage(browser, site.origin);
    await late.page.goto(link);
    await late.page.getByText('This link was used already').waitFor();

    await page.goto(`/w/${site.workspaceId}/team`);
    await page.getByRole('row').filter({ hasText: 'bo@example.com' }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: /invit/i }).first().waitFor();
    expect([...faults, ...guest.faults]).toEqual([]);
    for (const each of [context, guest.context, late.context]) await each.close();
  });

  it('a second factor is set up with a QR code and then asked for; a recovery code works too', async () => {
    const person = await givenPerson(site, [{ workspaceId: site.workspaceId }]);
    const { page, faults, context } = await openPage(browser, site.origin);
    await signIn(page, person);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectAccessible(page);
    const code = readCode(await dialog.getByTestId('secret').innerText());
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code);
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.locator('pre').innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes left').waitFor();

    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The code is wrong or was used already').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.waitForURL(`**/w/${site.workspaceId}`);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('a changed password ends the other sessions at their next step', async () => {
    const person = await givenPerson(site, [{ workspaceId: site.workspaceId }]);
    const [here, there] = [
      await openPage(browser, site.origin),
      await openPage(browser, site.origin),
    ];
    await signIn(here.page, person);
    await signIn(there.page, person);
    await here.page.goto('/account');
    await here.page.getByRole('table', { name: 'Sessions' }).getByRole('row').nth(2).waitFor();
    await here.page.getByLabel('Current password').fill(person.password);
    await here.page.getByLabel('New password').fill('another quiet evening in May');
    await here.page.getByRole('button', { name: 'Change password' }).click();
    await here.page.getByText('all other sessions are ended').waitFor();
    await there.page.getByRole('link', { name: 'Items', exact: true }).click();
    await there.page.getByLabel('E-mail').waitFor();
    await here.page.goto(`/w/${site.workspaceId}/team`);
    await here.page.getByRole('heading', { name: 'Team' }).waitFor();
    expect([...here.faults, ...there.faults]).toEqual([]);
    await here.context.close();
    await there.context.close();
  });
});
