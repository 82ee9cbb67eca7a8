// Money in the wallet panel: corrections, rounds, top-ups, and layout on a narrow screen.
import { expect, it } from 'vitest';
import { giveMember, password } from '../../services/wallet/server/test/environment/people.ts';
import { describeWallet } from './wallet-site.ts';

describeWallet('the wallet panel (money)', (site) => {
  it('a debit above the balance is refused, and can be corrected and sent again', async () => {
    await site.player(site.of, { playerId: 'corrected', balance: '9.00' });
    const { page, close } = await site.visit(site.owner, `${site.base}/player?player_id=corrected`);
    await page.getByRole('button', { name: 'Credit or debit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Debit', { exact: true }).first().click();
    await dialog.getByLabel('Amount (EUR)').fill('90');
    await dialog.getByRole('button', { name: 'Debit' }).click();
    await dialog.getByText('The balance is too low').waitFor();
    await dialog.getByLabel('Amount (EUR)').fill('2');
    await dialog.getByRole('button', { name: 'Debit' }).click();
    await page.getByText('7.00 EUR').waitFor();
    expect(await page.locator('nav [aria-current=page]').allInnerTexts()).toEqual(['Players']);
    await close();
  });

  it('the panel shows a new secret until the person confirms that the secret is saved', async () => {
    const { page, close } = await site.visit(site.owner, `${site.base}/settings/credentials`);
    await page.getByRole('button', { name: 'Rotate caller pair' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const kept = page.getByRole('button', { name: 'I have saved it' });
    await kept.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    // A dialog that is closing receives no clicks, so a successful click shows that the dialog stays open.
    await expect(kept.click({ trial: true })).resolves.toBeUndefined();
    expect(await page.getByTestId('secret').count()).toBe(2);
    await kept.click();
    await page.getByTestId('secret').first().waitFor({ state: 'detached' });
    await close();
  });

  it('the panel wraps a long transaction id within its card on a narrow screen', async () => {
    await site.player(site.of, { playerId: 'narrow', balance: '9.00' });
    const transaction_id = `bet-${'0123456789abcdef'.repeat(5)}`;
    await site.callback({ action: 'bet', player_id: 'narrow', transaction_id, amount: 1 });
    const { page, close } = await site.visit(site.owner, `${site.base}/player?player_id=narrow`, {
      width: 380,
    });
    const box = await page.getByRole('link', { name: transaction_id }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(380);
    await close();
  });

  it('the panel reports an unreachable service, and loads the page when the service is back', async () => {
    const { page, context, close } = await site.visit(site.owner, `${site.base}/credit`);
    await page.getByRole('heading', { name: 'Credit', level: 1 }).waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await page.getByText('The service cannot be reached').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Rounds', level: 1 }).waitFor();
    await close();
  });

  it('the panel lists the rounds, and shows the same timeline of a round as the API', async () => {
    await site.player(site.of, { playerId: 'roundly', balance: '9.00' });
    const play = async (action: string, round: string, more: object) => {
      const round_id = `r-${round}`;
      const body = { action, player_id: 'roundly', game_id: 'dice', round_id, ...more };
      expect((await site.callback(body)).status).toBe(200);
    };
    await play('bet', 'won', { transaction_id: 'won-bet', amount: 2 });
    await play('win', 'won', { transaction_id: 'won-win', amount: '3.50' });
    await play('end_round', 'won', {});
    await play('bet', 'open', { transaction_id: 'open-bet', amount: 1 });
    const { page, close } = await site.visit(site.member, `${site.base}/rounds?player_id=roundly`);
    const row = page.getByRole('row', { name: 'r-won' });
    await row.getByText('Closed').waitFor();
    expect(await row.innerText()).toMatch(/2\.00\s+3\.50/);
    await page.getByRole('combobox', { name: 'All rounds' }).click();
    await page.getByRole('option', { name: 'Open, oldest first' }).click();
    await page.waitForURL(/state=open/);
    await row.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'r-open' }).getByText('Open', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'r-won' }).click();
    await page.getByRole('heading', { name: 'r-won', level: 1 }).waitFor();
    const timeline = page.locator('.cf-timeline li');
    await timeline.first().waitFor();
    const shown = await timeline.allInnerTexts();
    const url = '/api/v1/round?round_id=r-won&player_id=roundly';
    const answer = await site.app.inject({ url, headers: site.of.headers });
    const { state, events } = answer.json().data;
    type Event = { transaction_id: string; balance: number };
    expect([state, events.map((each: Event) => each.transaction_id)]).toEqual([
      'closed',
      ['won-bet', 'won-win', 'r-won'],
    ]);
    expect(shown).toHaveLength(events.length);
    for (const [place, { transaction_id: id, balance }] of (events as Event[]).entries()) {
      expect(shown[place]).toContain(`${id} balance afterwards ${balance.toFixed(2)} EUR`);
    }
    expect(await page.locator('nav [aria-current=page]').allInnerTexts()).toEqual(['Rounds']);
    await close();
  });

  it('the panel lists top-ups and reversals, and computes how long the credit lasts', async () => {
    const of = await site.package({ name: 'Funded', credit: '100.00' });
    await site.player(of, { playerId: 'spender', balance: '80.00' });
    const platform = await site.visit(site.administrator, `/admin/packages/${of.id}`);
    const move = async (label: 'Top up' | 'Reverse', amount: string, note: string) => {
      const dialog = platform.page.getByRole('dialog');
      await platform.page.getByRole('button', { name: 'Top up' }).click();
      await dialog.getByText(label, { exact: true }).first().click();
      await dialog.getByLabel('Amount (EUR)').fill(amount);
      await dialog.getByLabel('Note').fill(note);
      await dialog.getByRole('button', { name: label }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const { email } = await giveMember(site, of, 'owner');
    const { page, close } = await site.visit({ email, password }, `/p/${of.id}/credit`);
    await page.getByText('6 hours', { exact: true }).waitFor();
    await move('Top up', '50', 'invoice 7');
    await move('Reverse', '10', 'paid twice');
    const marked = platform.page.locator('nav [aria-current=page]');
    expect(await marked.allInnerTexts()).toEqual(['Packages']);
    await page.reload();
    await page.getByText('18 hours', { exact: true }).waitFor();
    await page.getByText('80.00 EUR net spent in 24 hours').waitFor();
    const rows = page.getByRole('table', { name: 'Top-ups' }).getByRole('row');
    await rows.nth(3).waitFor();
    const shown = (await rows.allInnerTexts()).slice(1).map((text) => text.split(/\s+/));
    const expected = [
      ['paid twice', '−10.00', '60.00', -10, 60],
      ['invoice 7', '+50.00', '70.00', 50, 70],
      ['', '+100.00', '100.00', 100, 100],
    ] as const;
    for (const [place, [note, change, after]] of expected.entries()) {
      for (const word of [...note.split(' '), change, after]) {
        if (word) expect(shown[place]).toContain(word);
      }
    }
    const { body } = await page.evaluate(async (path) => {
      const answers = await Promise.all([fetch(path), fetch(path.replace('top-ups', 'credit'))]);
      return { body: await Promise.all(answers.map((each) => each.json())) };
    }, `/panel/packages/${of.id}/top-ups`);
    const [history, credit] = body.map(({ data }) => data);
    type Line = { type: string; amount: number; balance: number; note: string };
    expect(
      history.top_ups.map(({ type, amount, balance, note }: Line) => [
        ...[note, type === 'top_up' ? Number(amount) : -Number(amount), Number(balance)],
      ]),
    ).toEqual(expected.map(([note, , , change, balance]) => [note, change, balance]));
    expect([credit.balance, credit.runway.hours]).toEqual([60, 18]);
    await close();
    await platform.context.close();
  });

  it('the panel shows the four figures of the ledger in the same font size on a narrow screen', async () => {
    const of = await site.package({ name: 'Rich', credit: '12345678901.00' });
    const { email } = await giveMember(site, of, 'owner');
    const { page, close } = await site.visit({ email, password }, `/p/${of.id}/ledger`, {
      width: 380,
    });
    await page.getByText('12,345,678,901.00', { exact: true }).first().waitFor();
    const sizes = await page
      .locator('.cf-figure-value')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).fontSize));
    expect([sizes.length, new Set(sizes).size]).toEqual([4, 1]);
    await close();
  });

  it('the panel shows administrators the result of a proof in the list of proofs', async () => {
    const { page, close } = await site.visit(site.administrator, '/admin/proofs');
    const row = page.getByRole('row', { name: /Lucky Lane/ });
    await row.getByRole('button').click();
    await row.getByText('Clean').waitFor();
    await close();
  });
});
