// A newcomer's way: sign in, generate a key, call, see it; then retrieve, rotate, watch and revoke it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, settle } from './browser.ts';
import { describeInBrowser } from './chromium.ts';
import { type LicensingSite, openLicensingSite } from './licensing-site.ts';

describeInBrowser('API keys in the licensing panel', () => {
  let site: LicensingSite;

  beforeAll(async () => {
    site = await openLicensingSite();
  });

  afterAll(() => site?.close());

  const validate = async (key: string, code: string) => {
    const response = await fetch(`${site.origin}/api/purchases/validation`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: new URLSearchParams({ purchase_code: code }),
    });
    return (await response.json()) as { status: string; code?: string };
  };

  it('a newcomer signs in by keyboard alone, generates a key, and the checklist sees the call', async () => {
    const itemId = await site.item(site.workspaceId);
    const { code } = await site.purchase(site.workspaceId, itemId);
    const { page, faults, close } = await site.openPage();
    await page.goto('/');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(site.owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(site.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'To the API key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Generate a key' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Website');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const secret = (await page.getByTestId('secret').innerText()).trim();
    expect(secret).toMatch(/^ck_live_/);
    expect(page.url()).not.toContain(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    expect(await validate(secret, code)).toMatchObject({ status: 'success' });
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await expect
      .poll(async () => {
        await page.reload();
        await settle(page);
        return page.getByRole('heading', { name: 'First steps' }).count();
      })
      .toBe(0);
    await page.getByRole('img', { name: 'Validations per hour, valid and invalid' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it('the existing key is shown again for the right password alone', async () => {
    const key = await site.apiKey(site.workspaceId, { name: 'Shop' });
    const { page, faults, close } = await site.visitAsOwner('/settings/api-key');
    const row = page.getByRole('row').filter({ hasText: 'Shop' });
    await row.getByRole('button', { name: 'Retrieve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await dialog.getByText('The password is wrong').waitFor();
    expect(await page.content()).not.toContain(key);
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(site.owner.password);
    await dialog.getByRole('button', { name: 'Show it' }).click();
    expect((await dialog.getByTestId('secret').innerText()).trim()).toBe(key);
    expect(faults).toEqual([]);
    await close();
  });

  it('a rotated key is watched until it is quiet, and revoking it stops it', async () => {
    const key = await site.apiKey(site.workspaceId, { name: 'Mobile' });
    const { page, faults, close } = await site.visitAsOwner('/settings/api-key');
    await page.getByRole('button', { name: 'More for “Mobile”' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('7 days').check();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const successor = (await dialog.getByTestId('secret').innerText()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const meter = page.getByRole('region', { name: 'Old keys in their overlap' });
    await meter.getByText('Safe to revoke').waitFor();
    expect((await validate(key, 'x')).code).toBe('purchase_not_found');
    await meter.getByText('Still in use').waitFor();
    await meter.getByText('from 127.0.0.1').waitFor();
    await expectAccessible(page);
    await meter.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).isDisabled();
    await dialog.getByLabel('Type “Mobile” to go on').fill('Mobile');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await meter.waitFor({ state: 'detached' });
    await expect.poll(async () => (await validate(key, 'x')).code).toBe('api_key_revoked');
    expect((await validate(successor, 'x')).code).toBe('purchase_not_found');
    expect(faults).toEqual([]);
    await close();
  });
});
