// Callback credentials in the wallet panel: key pairs, secrets and callback security.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { giveMember, password } from '../../services/wallet/server/test/environment/people.ts';
import { expectAccessible, waitForNotice } from './browser.ts';
import { describeWallet, sendCallback } from './wallet-site.ts';

describeWallet('the wallet panel (callback credentials)', (site) => {
  /** Creates a package and opens a page of its settings as its owner. */
  const visitOwn = async (name: string, path: string) => {
    const of = await site.package({ name });
    const owner = await giveMember(site, of, 'owner');
    const { page, end } = await site.visit({ email: owner.email, password }, `/p/${of.id}/settings/${path}`);
    const api = `/panel/packages/${of.id}`;
    const balance = { action: 'balance', player_id: await site.player(of) };
    return { of, page, end, api, owner, balance };
  };

  const revealAt = async (page: Page, apiKey: string, secret: string) => {
    const row = page.getByRole('row', { name: apiKey });
    await row.getByRole('button', { name: 'Reveal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not this one');
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await dialog.getByText('The password is wrong').waitFor();
    expect(await page.content()).not.toContain(secret);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await dialog.getByRole('button', { name: 'Show it' }).click();
    expect((await dialog.getByTestId('secret').innerText()).trim()).toBe(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('the panel rotates a callback pair with an overlap, and reveals secrets with the password', async () => {
    const { of, page, end, api, owner, balance } = await visitOwn('Pairs', 'credentials');
    const old = of.callback;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Rotate callback pair' }).click();
    await dialog.getByLabel('1 hour').check();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('button', { name: 'I have saved it' }).waitFor();
    const [apiKey = '', apiSecret = ''] = await dialog.getByTestId('secret').allTextContents();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(apiSecret);
    const fresh = { uid: of.uid, callback: { apiKey, apiSecret } };
    const tryBoth = async () => [
      (await sendCallback(site.origin, of, balance)).status,
      (await sendCallback(site.origin, fresh, balance)).status,
    ];
    expect(await tryBoth()).toEqual([200, 200]);
    const headers = { 'x-uid': of.uid, 'x-api-key': apiKey, 'x-api-secret': apiSecret };
    const asCaller = await site.app.inject({ url: '/api/v1/package', headers });
    expect(asCaller.json().code).toBe('insufficient_scope');

    await revealAt(page, apiKey, apiSecret);
    const callers = page.getByRole('row', { name: of.headers['x-api-key'] as string });
    expect(await callers.getByRole('button', { name: 'Reveal' }).count()).toBe(0);
    const list = async () => (await owner.send('GET', `${api}/key-pairs`)).body.data.key_pairs;
    const pairOf = async (key: string) =>
      (await list()).find(({ api_key: each }: { api_key: string }) => each === key);
    const { id: callerId } = await pairOf(of.headers['x-api-key'] as string);
    const asked = await owner.send('POST', `${api}/key-pairs/${callerId}/reveal`, { password });
    expect(asked.body.code).toBe('secret_not_kept');
    expect((await pairOf(old.apiKey)).state).toBe('retiring');

    await page.getByRole('button', { name: `Revoke ${old.apiKey}` }).click();
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel(/^Type/).fill(old.apiKey.slice(-4));
    await revoke.click();
    await waitForNotice(page, 'Key pair revoked');
    await dialog.waitFor({ state: 'detached' });
    expect(await tryBoth()).toEqual([401, 200]);
    const { id: oldId, state } = await pairOf(old.apiKey);
    expect([state, (await pairOf(apiKey)).state]).toEqual(['revoked', 'active']);
    const gone = await owner.send('POST', `${api}/key-pairs/${oldId}/reveal`, { password });
    expect(gone.body.code).toBe('key_pair_not_live');
    const row = page.getByRole('row', { name: old.apiKey });
    await row.getByText('Revoked').waitFor();
    expect(await row.getByRole('button', { name: 'Reveal' }).count()).toBe(0);
    // The provider received the new pair automatically.
    await expect.poll(() => site.sendAsProvider(of.uid, balance)).toBe('accepted 200');
    await end();
  });

  it('the panel changes callback security and tests each mode; the provider gets the new mode', async () => {
    const { of, page, end, api, owner, balance } = await visitOwn('Seals', 'callbacks');
    const send = async (fault: string, verdict: string) => {
      await page.getByRole('combobox', { name: 'Callback to send' }).click();
      await page.getByRole('option', { name: fault }).click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText(verdict).waitFor();
    };
    expect((await sendCallback(site.origin, of, balance)).status).toBe(200);
    const right = 'Accepted. The response is signed or encrypted with the key of the package.';
    for (const [label, mode] of [
      ['Signed', 'signed'],
      ['Encrypted', 'encrypted'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect
        .poll(async () => (await owner.send('GET', api)).body.data.package.callback_security)
        .toBe(mode);
      // When the page has loaded the new mode, it resets the form that sends test callbacks, and disables the
      // Save button. So the test waits until the button is disabled.
      const save = page.locator('button[type=submit]:disabled:not([data-loading])');
      await save.getByText('Save').waitFor();
      expect((await sendCallback(site.origin, of, balance)).status).toBe(401);
      const select = page.getByRole('combobox', { name: 'Player' });
      await select.fill(balance.player_id);
      await page.getByRole('option', { name: balance.player_id }).click();
      await send('A correct callback', right);
      const sent = await page.locator('pre').first().innerText();
      expect(sent.includes(balance.player_id)).toBe(mode === 'signed');
      expect(await page.content()).not.toContain(of.callback.apiSecret);
      await send('Signed or encrypted with another key', 'Refused with 401 signature_invalid');
      await send('Signed an hour ago', 'Refused with 401 timestamp_out_of_range');
      await send('Without signature or encryption', 'Refused with 401 signature_invalid');
      await send('With a wrong secret', 'Refused with 401 auth_invalid');
      await expect.poll(() => site.sendAsProvider(of.uid, balance)).toBe('accepted 200');
    }
    await expectAccessible(page);
    await end();
  });
});
