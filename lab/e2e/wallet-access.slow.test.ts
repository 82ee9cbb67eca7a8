// Settings of owners and administrators in the wallet panel, and their effect on the service.
import { expect, it, onTestFinished } from 'vitest';
import { deriveCallbackKeys } from '../../services/wallet/server/src/callbacks/security/callback-keys.ts';
import { signRequest } from '../../services/wallet/server/src/callbacks/security/signature.ts';
import { giveMember, password } from '../../services/wallet/server/test/environment/people.ts';
import { expectAccessible, waitForNotice } from './browser.ts';
import type { Person } from './browsing.ts';
import { describeWallet, visitLobby } from './wallet-site.ts';

const callbackPath = '/api/v1/game/callback';

describeWallet('the wallet panel (settings)', (site) => {
  const visit = (who: Person, path: string) => visitLobby(site, who, path);

  const giveOwner = async (of: { id: number }): Promise<Person> => {
    const { email } = await giveMember(site, of, 'owner');
    return { email, password };
  };

  /** Sends a request as the package's server. */
  const call = async (path: string, more: { headers?: object; from?: string } = {}) => {
    const answer = await site.app.inject({
      url: `/api/v1/${path}`,
      headers: { ...site.of.headers, ...more.headers },
      remoteAddress: more.from ?? '127.0.0.1',
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  it('the panel saves only valid domains, and the API checks Origin against the saved list', async () => {
    const origin = { headers: { origin: 'https://shop.lucky.example' } };
    expect((await call('package', origin)).body.code).toBe('origin_not_allowed');
    const { page, end } = await visit(site.owner, `/p/${site.of.id}/settings/access`);
    const surface = page.getByRole('region', { name: 'Allowed domains' });
    const field = surface.getByRole('combobox');
    await field.fill('https://shop.lucky.example/cart');
    await field.press('Enter');
    await surface.getByRole('button', { name: 'Save' }).click();
    await surface.getByText('https://shop.lucky.example/cart must be a host').waitFor();
    await expectAccessible(page);
    expect((await call('package')).body.data.domains).toEqual(['test.example']);
    await field.press('Backspace');
    await field.fill('*.lucky.example');
    await field.press('Enter');
    await surface.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'List saved');
    const { status, body } = await call('package', origin);
    expect([status, body.data.domains]).toEqual([200, ['test.example', '*.lucky.example']]);
    const other = { headers: { origin: 'https://lucky.example.evil' } };
    expect((await call('package', other)).body.code).toBe('origin_not_allowed');
    await end();
  });

  it('the service refuses calls and callbacks from IP addresses that are not listed', async () => {
    const { page, end } = await visit(site.owner, `/p/${site.of.id}/settings/access`);
    const save = async (list: string, entry: string) => {
      const surface = page.getByRole('region', { name: list });
      const field = surface.getByRole('combobox');
      await field.fill(entry);
      await field.press('Enter');
      await surface.getByRole('button', { name: 'Save' }).click();
    };
    await save('Caller addresses', '203.0.113.0/99');
    await page.getByText('203.0.113.0/99 must be an IP address').waitFor();
    expect((await call('package')).status).toBe(200);
    await page.reload();
    await save('Caller addresses', '203.0.113.0/24');
    await waitForNotice(page, 'List saved');
    expect((await call('package')).body.code).toBe('address_not_allowed');
    expect((await call('package', { from: '203.0.113.7' })).status).toBe(200);
    const balance = { action: 'balance', player_id: await site.player(site.of) };
    expect((await site.callback(balance)).status).toBe(200);
    await save('Provider addresses', '198.51.100.0/24');
    await expect.poll(async () => (await site.callback(balance)).status).toBe(403);
    await expectAccessible(page);
    await end();
  });

  it('a new credit threshold changes the low-credit banner and the credit level in the API', async () => {
    const of = await site.package({ name: 'Threshold', credit: '40.00' });
    const player = await site.player(of);
    const { page, end } = await visit(await giveOwner(of), `/p/${of.id}/credit`);
    const readLevel = async () => {
      const url = `/api/v1/user/balance?player_id=${player}`;
      const answer = await site.app.inject({ url, headers: of.headers });
      return answer.json().credit_alert?.level ?? null;
    };
    const pages = ['Ledger', 'Games', 'Team', 'Credit'];
    const levels = [
      ['100', 'low', 'Credit is low.'],
      ['160', 'critical', 'Credit is almost used up.'],
      ['39.99', null, undefined],
    ] as const;
    for (const [threshold, level, sentence] of levels) {
      await page.getByLabel('Warn at (EUR)').fill(threshold);
      await page.getByRole('button', { name: 'Save' }).click();
      const banners = page.locator('.cf-banners');
      await expect.poll(() => banners.innerText()).toMatch(sentence ?? /^$/);
      expect(await readLevel()).toBe(level);
      for (const name of pages) {
        await page.getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        expect(await banners.innerText()).toMatch(sentence ?? /^$/);
      }
    }
    await page.getByLabel('Warn at (EUR)').fill('0.001');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('main').getByRole('alert').waitFor();
    await expectAccessible(page);
    expect(await readLevel()).toBe(null);
    await end();
  });

  it('the panel reveals the AES key with the password; a replaced key works for another hour', async () => {
    const of = await site.package({ name: 'Sealed', callbackSecurity: 'signed' });
    const player = await site.player(of, { balance: '5.00' });
    const { page, end } = await visit(await giveOwner(of), `/p/${of.id}/settings/credentials`);
    const send = async (aesKey: string) => {
      const body = JSON.stringify({ action: 'balance', player_id: player });
      const signature = signRequest(deriveCallbackKeys(aesKey).sign, {
        unix: Math.floor((Date.now() + site.ahead.ms) / 1000),
        method: 'POST',
        path: callbackPath,
        body: Buffer.from(body),
      });
      const { apiKey, apiSecret } = of.callback;
      const headers = { 'x-uid': of.uid, 'x-api-key': apiKey, 'x-api-secret': apiSecret };
      const json = { 'content-type': 'application/json', 'x-signature': signature };
      const sent = { method: 'POST', headers: { ...headers, ...json }, body };
      return (await fetch(`${site.origin}${callbackPath}`, sent)).status;
    };
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Show the key' }).click();
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not this one');
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await dialog.getByText('The password is wrong').waitFor();
    expect(await page.content()).not.toContain(of.aesKey);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await dialog.getByRole('button', { name: 'Show it' }).click();
    expect((await dialog.getByTestId('secret').innerText()).trim()).toBe(of.aesKey);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // The clock is stopped, so that the overlap does not end while the test runs.
    site.ahead.stoppedAtMs = Date.now();
    onTestFinished(() => {
      delete site.ahead.stoppedAtMs;
    });
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await dialog.getByLabel('1 hour').check();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const fresh = (await dialog.getByTestId('secret').innerText()).trim();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText(/The previous key works until/).waitFor();
    expect(await page.content()).not.toContain(fresh);
    expect([await send(of.aesKey), await send(fresh)]).toEqual([200, 200]);
    site.ahead.ms = 59 * 60_000;
    expect([await send(of.aesKey), await send(fresh)]).toEqual([200, 200]);
    site.ahead.ms = 61 * 60_000;
    expect([await send(of.aesKey), await send(fresh)]).toEqual([401, 200]);
    await end();
  });

  it('the wallet uses a catalogue with far fewer games only after an administrator accepted it', async () => {
    const of = await site.package({ name: 'Games' });
    const list = async () => {
      // Makes the stored catalogue too old, so that it is loaded again.
      site.ahead.ms += 20_000;
      const answer = await site.app.inject({ url: '/api/v1/game/list', headers: of.headers });
      const { source, total } = answer.json().data;
      return { source, total };
    };
    const whole = await list();
    expect(whole.source).toBe('private');
    await site.orderFaults({ private: 'shrunk' });
    expect((await list()).source).toBe('public');
    const { page, end } = await visit(site.administrator, '/admin/provider');
    await page.getByText('implausible list').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Accept list' }).click();
    await waitForNotice(page, 'List accepted');
    const taken = await list();
    expect(taken).toEqual({ source: 'private', total: Math.floor(whole.total / 5) });
    await page.getByText('implausible list').waitFor({ state: 'detached' });
    await page.goto('/admin/audit?action=catalogue_accepted');
    await page.getByText('catalogue accepted').first().waitFor();
    await end();
  });
});
