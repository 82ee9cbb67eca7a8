// More tasks in the wallet panel, for example low credit, lost answers, exports and live figures.
import { expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { choosePlayer, describeWallet } from './wallet-site.ts';

describeWallet('the wallet panel (further tasks)', (site) => {
  it('the panel warns of low credit on every page, and shows how long the credit lasts', async () => {
    const low = await site.package({ name: 'Low', credit: '100.00', alertThreshold: 10_000n });
    await site.player(low, { balance: '80.00' });
    const { giveMember, password } = await import('../../services/wallet/server/test/environment/people.ts');
    const { email } = await giveMember(site, low, 'owner');
    const { page, close } = await site.visit({ email, password }, `/p/${low.id}/players`);
    await page.getByText('Credit is almost used up.').waitFor();
    await page.getByText('20.00 EUR left. The credit lasts about 6 hours at the current rate.').waitFor();
    await page.getByRole('link', { name: 'Go to credit' }).click();
    await page.getByLabel('Warn at (EUR)').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByText('Credit is almost used up.').count()).toBe(0);
    await close();
  });

  it('the panel shows calls that repeat an update_balance id, and names a changed field', async () => {
    await site.player(site.of, { playerId: 'moved', balance: '9.00' });
    const transfer = { player_id: 'moved', type: 'debit', amount: 1, transaction_id: 'own-id' };
    const send = async (body: object) => {
      const headers = { ...site.of.headers, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${site.origin}/api/v1/user/update_balance`, sent)).status;
    };
    expect([await send(transfer), await send(transfer)]).toEqual([200, 200]);
    expect(await send({ ...transfer, amount: 2 })).toBe(409);
    const { page, close } = await site.visit(site.member, `${site.base}/transactions?id=own-id`);
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByText('balance afterwards').waitFor();
        return page.getByText('“amount” differs').count();
      })
      .toBe(1);
    await page.getByText('Repeated', { exact: true }).waitFor();
    expect(await page.getByText('update_balance', { exact: true }).count()).toBe(3);
    await close();
  });

  it('the panel replays a callback in the sandbox, and tests callback security', async () => {
    await site.player(site.of, { playerId: 'twin', balance: '9.00' });
    const bet = { action: 'bet', player_id: 'twin', transaction_id: 'again', amount: 1 };
    await site.callback(bet);
    const { page, close } = await site.visit(site.owner, `${site.base}/settings/credentials`);
    await page.getByRole('button', { name: 'Create sandbox' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).waitFor();
    // The secrets are shown once, so Escape must not close the dialog.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.goto(`${site.base}/callbacks?player_id=twin`);
    await page.getByRole('button', { name: 'Replay again in the sandbox' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Originally: Applied. The sandbox answered 200: Applied.').waitFor();
    await page.goto(`${site.base}/settings/callbacks`);
    await choosePlayer(page, 'twin');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Accepted.').waitFor();
    await close();
  });

  it('the panel sends a top-up only once after a double click', async () => {
    const of = await site.package({ name: 'Twice', credit: '0' });
    const { page, close } = await site.visit(site.administrator, `/admin/packages/${of.id}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Top up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount (EUR)').fill('10');
    await dialog.getByRole('button', { name: 'Top up' }).dblclick();
    await page.getByText('10.00 EUR', { exact: true }).first().waitFor();
    expect(sent).toHaveLength(1);
    await close();
  });

  it('the panel shows the movement of a bet, its repeat, and a conflict in the amount', async () => {
    await site.player(site.of, { playerId: 'inspected', balance: '9.00' });
    const bet = { action: 'bet', player_id: 'inspected', transaction_id: 'look', amount: 1 };
    await site.callback(bet);
    await site.callback(bet);
    await site.callback({ ...bet, amount: 2 });
    const { page, close } = await site.visit(site.member, `${site.base}/transactions`);
    await page.getByLabel('Transaction id').fill('look');
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByText('Amount 1.00, balance afterwards 8.00').waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByText('Amount 1.00').waitFor();
        return page.getByText('“amount” differs').count();
      })
      .toBe(1);
    await page.getByText('Repeated', { exact: true }).waitFor();
    await close();
  });

  it('a member verifies a balance and blocks the player, and the next bet is refused', async () => {
    await site.player(site.of, { playerId: 'blocky', balance: '9.00' });
    const { page, close } = await site.visit(site.member, `${site.base}/player?player_id=blocky`);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The balance is correct').waitFor();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByText('Blocked', { exact: true }).waitFor();
    const bet = { action: 'bet', player_id: 'blocky', transaction_id: 'blocked-bet', amount: 1 };
    expect((await site.callback(bet)).status).toBe(403);
    await page.goto(`${site.base}/audit?action=player_blocked`);
    await page.getByText('player blocked').waitFor();
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
    await close();
  });

  it('the panel keeps the ledger’s filters in the URL and exports the filtered rows', async () => {
    await site.player(site.of, { playerId: '=cmd', balance: '3.00' });
    const { page, close } = await site.visit(site.member, `${site.base}/ledger?player_id=%3Dcmd`);
    await page.getByText('Opening balance 0.00, change 3.00, closing balance 3.00.').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const download = await downloading;
    const text = await (await import('node:fs/promises')).readFile(await download.path(), 'utf8');
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain(",'=cmd,3.00,");
    await page.getByRole('combobox', { name: 'Kind', exact: true }).click();
    await page.getByRole('option', { name: 'Wins' }).click();
    await page.waitForURL(/kind=win/);
    await page.getByText('No matches').waitFor();
    await close();
  });

  it('the panel rotates the caller pair and shows its secret once; the new pair works at once', async () => {
    const { page, close } = await site.visit(site.owner, `${site.base}/settings/credentials`);
    await page.getByRole('button', { name: 'Rotate caller pair' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).waitFor();
    const [key = '', secret = ''] = await page.getByTestId('secret').allTextContents();
    const headers = { 'x-uid': site.of.uid, 'x-api-key': key, 'x-api-secret': secret };
    expect((await fetch(`${site.origin}/api/v1/package`, { headers })).status).toBe(200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.getByText(secret).count()).toBe(0);
    await page.getByText('Retiring').waitFor();
    await close();
  });

  it('a top-up is applied only once if it is sent again after its answer was lost', async () => {
    const of = await site.package({ name: 'Lossy', credit: '0' });
    const { page, close } = await site.visit(site.administrator, `/admin/packages/${of.id}`);
    await page.getByRole('button', { name: 'Top up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount (EUR)').fill('10');
    await page.route('**/top-ups', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Top up' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.unroute('**/top-ups');
    await dialog.getByRole('button', { name: 'Top up' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('10.00 EUR', { exact: true }).first().waitFor();
    await page.getByText('+10.00').first().waitFor();
    expect(await page.getByText('+10.00').count()).toBe(1);
    await close();
  });

  it('the panel shows live figures; the service refuses the stream after a sign-out', async () => {
    await site.player(site.of, { playerId: 'live', balance: '9.00' });
    const { page, close } = await site.visit(site.member, site.base);
    await page.getByText('Live', { exact: true }).last().waitFor();
    const bet = { action: 'bet', player_id: 'live', transaction_id: 'live-bet', amount: '1.23' };
    await site.callback(bet);
    await page.getByText('live-bet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    const status = await page.evaluate(
      async (path) => (await fetch(path)).status,
      `/panel/packages/${site.of.id}/live`,
    );
    expect(status).toBe(401);
    await close();
  });
});
