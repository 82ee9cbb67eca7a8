// API keys in the licensing panel (publishable, test, with chosen scopes), and the request log.
import { expect, it } from 'vitest';
import { givenPerson } from '../../services/licensing/server/test/environment/panel-browser.ts';
import { expectAccessible, settle } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

const dayMs = 86_400_000;

interface Logged {
  readonly data: { readonly requests: readonly { readonly code?: string }[] };
}

describeLicensing('the licensing panel (API keys)', (site) => {
  it('the panel generates a publishable key for one item', async () => {
    await site.item(site.workspaceId, { name: 'Only this one' });
    const { page, end } = await site.visitAsOwner('/settings/api-key');
    await page.getByRole('button', { name: 'Generate a key' }).first().click();
    await page.getByLabel('Name').fill('In buyers’ sites');
    await page.getByLabel('Publishable').check();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Item' }).click();
    await page.getByRole('option', { name: /Only this one/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Generate a key' }).click();
    expect((await page.getByTestId('secret').innerText()).trim()).toMatch(/^ck_pub_/);
    await end();
  });

  it('the panel generates a test key, and marks the key in the list and in the request log', async () => {
    const { page, end } = await site.visitAsOwner('/settings/api-key');
    await page.getByRole('button', { name: 'Generate a key' }).first().click();
    await page.getByLabel('Name').fill('For trials');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Manage items (items:write)').waitFor();
    await dialog.getByLabel('Test key').check();
    await dialog.getByText('Manage items (items:write)').waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('(activations:write)').isChecked()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Generate a key' }).click();
    const secret = (await dialog.getByTestId('secret').innerText()).trim();
    expect(secret).toMatch(/^ck_test_/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'For trials' });
    await row.getByText('Test key').waitFor();
    const refunded = '7e570000-0000-4000-8000-000000000011';
    expect((await site.validate(secret, refunded)).code).toBe('purchase_refunded');
    await page.getByRole('link', { name: 'Request log' }).click();
    const line = page.getByRole('row').filter({ hasText: 'purchase_refunded' });
    await expect
      .poll(async () => {
        await page.reload();
        await settle(page);
        return line.getByText('Test key').count();
      })
      .toBe(1);
    await expectAccessible(page);
    await end();
  });

  it('the panel flags a secret key that a web page with the origin `null` has sent', async () => {
    const secret = await site.apiKey(site.workspaceId, { name: 'In a local file' });
    const headers = { 'x-api-key': secret, origin: 'null' };
    expect((await fetch(`${site.origin}/api/account/details`, { headers })).status).toBe(200);
    const { page, end } = await site.visitAsOwner('/settings/api-key');
    const row = page.getByRole('row').filter({ hasText: 'In a local file' });
    await expect
      .poll(async () => {
        await page.reload();
        await settle(page);
        return row.getByText(/hides its address/).count();
      })
      .toBe(1);
    expect(await row.getByText(/null/).count()).toBe(0);
    await end();
  });

  /** Makes one call for each scope, as a program would. Returns the status or the error code of each call. */
  const tryAllScopes = async (secret: string) => {
    const headers = { 'x-api-key': secret };
    const ask = async (path: string) => {
      const response = await fetch(`${site.origin}${path}`, { headers });
      const { code } = (await response.json()) as { code?: string };
      return code ?? response.status;
    };
    return {
      'account:read': await ask('/api/account/details'),
      'items:read': await ask('/api/items/all'),
      'purchases:validate': (await site.validate(secret, 'nobody-has-this')).code,
      'items:write': await ask('/api/v1/items'),
      'purchases:write': await ask('/api/v1/purchases'),
    };
  };

  it('a key is limited to the scopes and the expiry date that were chosen for it', async () => {
    await site.item(site.workspaceId);
    const { page, end } = await site.visitAsOwner('/settings/api-key');
    await page.getByRole('button', { name: 'Generate a key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Stock');
    await dialog.getByLabel('Read the account').uncheck();
    await dialog.getByLabel('Validate codes').uncheck();
    await dialog.getByLabel('Manage purchases').check();
    const inTenDays = new Date(Date.now() + 10 * dayMs).toISOString().slice(0, 10);
    await dialog.getByLabel('Expires on').fill(inTenDays);
    await dialog.getByRole('button', { name: 'Generate a key' }).click();
    const secret = (await dialog.getByTestId('secret').innerText()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Stock' });
    await row.getByText('Read items, Manage purchases').waitFor();
    await row.getByText(/in (?:9|10) days/).waitFor();
    const refused = 'insufficient_scope';
    expect(await tryAllScopes(secret)).toEqual({
      'account:read': refused,
      'items:read': 200,
      'purchases:validate': refused,
      'items:write': refused,
      'purchases:write': 200,
    });
    site.ahead.ms = 11 * dayMs;
    try {
      expect(Object.values(await tryAllScopes(secret))).toEqual(Array(5).fill('api_key_expired'));
    } finally {
      site.ahead.ms = 0;
    }
    await end();
  });

  it('the panel filters the request log by status, reason and key, and shows no secret', async () => {
    const workspaceId = await site.workspace({ name: 'Logged' });
    const owner = await givenPerson(site, [{ workspaceId }]);
    const itemId = await site.item(workspaceId);
    const { code } = await site.purchase(workspaceId, itemId);
    const refund = await site.purchase(workspaceId, itemId, { state: 'refunded' });
    const shop = await site.apiKey(workspaceId, { name: 'Shop' });
    const stock = await site.apiKey(workspaceId, { name: 'Stock', scopes: ['items:read'] });
    for (const each of [code, refund.code, 'no-such-code']) await site.validate(shop, each);
    await site.validate(stock, code);
    const { page, end } = await site.visit(owner);
    const log = `/panel/workspaces/${workspaceId}/requests`;
    const answered = () =>
      page.evaluate(async (path) => (await fetch(path)).text(), `${log}${new URL(page.url()).search}`);
    const rows = page.getByRole('table', { name: 'Request log' }).getByRole('row');
    await expect
      .poll(async () => {
        await page.goto(`/w/${workspaceId}/requests`);
        await settle(page);
        return rows.count();
      })
      .toBe(5);
    const choose = async (filter: string, option: string) => {
      await page.getByRole('combobox', { name: filter, exact: true }).click();
      await page.getByRole('option', { name: option }).click();
    };
    const expectCodes = async (...codes: (string | undefined)[]) => {
      await expect.poll(() => rows.count()).toBe(codes.length + 1);
      const { data } = JSON.parse(await answered()) as Logged;
      expect(data.requests.map((each) => each.code)).toEqual(codes);
    };
    await choose('Response', 'Refused (4xx)');
    await expectCodes('insufficient_scope', 'purchase_not_found', 'purchase_refunded');
    await page.getByRole('cell', { name: 'Purchase refunded' }).waitFor();
    await choose('Key', 'Shop');
    await expectCodes('purchase_not_found', 'purchase_refunded');
    await choose('Reason', 'Code unknown');
    await expectCodes('purchase_not_found');
    await expectAccessible(page);
    await page.goto(`/w/${workspaceId}/requests?status=2xx`);
    await expectCodes(undefined);
    await page.goto(`/w/${workspaceId}/requests`);
    await expectCodes('insufficient_scope', 'purchase_not_found', 'purchase_refunded', undefined);
    const shown = `${await page.content()}${await answered()}`;
    for (const kept of [shop, stock, code, refund.code]) expect(shown).not.toContain(kept);
    await end();
  });

  it('the panel shows an existing key again only after the right password was entered', async () => {
    const key = await site.apiKey(site.workspaceId, { name: 'Shop' });
    const { page, end } = await site.visitAsOwner('/settings/api-key');
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
    await end();
  });

  it('the panel shows whether a rotated key is still in use, and revokes the key', async () => {
    const key = await site.apiKey(site.workspaceId, { name: 'Mobile' });
    const { page, end } = await site.visitAsOwner('/settings/api-key');
    await page.getByRole('button', { name: 'More actions for “Mobile”' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('7 days').check();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const successor = (await dialog.getByTestId('secret').innerText()).trim();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const meter = page.getByRole('region', { name: 'Replaced keys that still work' });
    await meter.getByText('Safe to revoke').waitFor();
    expect((await site.validate(key, 'x')).code).toBe('purchase_not_found');
    await meter.getByText('Still in use').waitFor();
    await meter.getByText('from 127.0.0.1').waitFor();
    await expectAccessible(page);
    await meter.getByRole('button', { name: 'Revoke' }).click();
    expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Mobile” to continue').fill('Mobile');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await meter.waitFor({ state: 'detached' });
    await expect.poll(async () => (await site.validate(key, 'x')).code).toBe('api_key_revoked');
    expect((await site.validate(successor, 'x')).code).toBe('purchase_not_found');
    await end();
  });
});
