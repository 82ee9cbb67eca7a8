// Signing keys, terms of licences and clients of other vendors in the licensing panel.
import { expect, it } from 'vitest';
import { expectAccessible, narrowDark, waitForNotice } from './browser.ts';
import { describeLicensing } from './licensing-site.ts';

describeLicensing('the licensing panel (licences)', (site) => {
  it('an owner creates and rotates a signing key, and sets when licences end', async () => {
    const { page, end } = await site.visitAsOwner('/settings/licences', narrowDark);
    await page.getByText('No signing key').waitFor();
    await page.getByRole('button', { name: 'Create signing key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create signing key' }).click();
    await waitForNotice(page, 'Signing key created.');
    await page.getByText('Signs', { exact: true }).waitFor();
    await page.getByText(`${site.origin}/.well-known/jwks/${site.workspaceId}.json`).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Notice in days').fill('91');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    expect(await dialog.getByLabel('Notice in days').evaluate((field) => field.matches(':invalid'))).toBe(
      true,
    );
    await dialog.getByLabel('Notice in days').fill('30');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await waitForNotice(page, 'Signing key rotated.');
    await page.getByText('Next', { exact: true }).waitFor();
    await page.getByLabel('Ends after (months, 0 is never)').fill('12');
    await page.getByRole('button', { name: 'Set terms' }).click();
    await expect
      .poll(() => site.db.query('select term_months from licence_terms'))
      .toMatchObject({
        rows: [{ term_months: 12 }],
      });
    await expectAccessible(page);
    await end();
  });

  it('an owner lets clients of Lemon Squeezy call the service', async () => {
    const { workspaceId } = site;
    const itemId = await site.item(workspaceId);
    const { code } = await site.purchase(workspaceId, itemId);
    const shipped = { kind: 'publishable', scopes: ['purchases:validate'], itemId } as const;
    const key = await site.apiKey(workspaceId, shipped);
    const validate = async () => {
      const body = new URLSearchParams({ license_key: code });
      const url = `${site.origin}/vendors/${key}/v1/licenses/validate`;
      const answer = await fetch(url, { method: 'POST', body });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    expect((await validate()).body.code).toBe('vendor_client_off');
    const { page, end } = await site.visitAsOwner('/settings/workspace');
    const vendor = page.getByRole('switch', { name: 'Lemon Squeezy' });
    const form = page.locator('form').filter({ has: vendor });
    await vendor.setChecked(true);
    await form.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Saved.');
    await expect.poll(validate).toMatchObject({ status: 200, body: { valid: true } });
    await end();
  });
});
