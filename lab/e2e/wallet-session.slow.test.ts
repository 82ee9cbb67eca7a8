// A session of the wallet panel ends: the page keeps typed text, and live figures resume after sign-in.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { giveMember, password } from '../../services/wallet/server/test/environment/people.ts';
import { expectAccessible } from './browser.ts';
import { describeWallet } from './wallet-site.ts';

describeWallet('the wallet panel (after the end of a session)', (site) => {
  const open = async (path: string) => {
    const person = await giveMember(site, site.of, 'owner');
    const watched = await site.visit({ email: person.email, password }, `/p/${site.of.id}${path}`);
    const endSessions = () => site.db.query('delete from sessions where person_id = $1', [person.id]);
    return { ...watched, person, endSessions };
  };

  const lockOf = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

  const signInAgain = async (page: Page) => {
    const lock = lockOf(page);
    await lock.getByRole('textbox', { name: 'Password' }).fill(password);
    await lock.getByRole('button', { name: 'Sign in' }).click();
    await lock.waitFor({ state: 'detached' });
  };

  const ask = (page: Page, path: string) =>
    page.evaluate(async (address) => {
      const answer = await fetch(address);
      return { status: answer.status, body: await answer.json() };
    }, `/panel/packages/${site.of.id}${path}`);

  it('a typed adjustment stays while the person signs in again, and is then applied once', async () => {
    await site.player(site.of, { playerId: 'patient', balance: '9.00' });
    const path = '/player?player_id=patient';
    const { page, end, person, endSessions } = await open(path);
    const balance = async () => (await ask(page, path)).body.data.player.balance;
    await page.getByRole('button', { name: 'Credit or debit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Credit or debit' });
    await dialog.getByLabel('Amount (EUR)').fill('2.50');
    // Ends the session only when the adjustment is sent. The page reloads the player every few seconds and
    // would notice an earlier end.
    await page.route(
      '**/player/adjust',
      async (route) => {
        await endSessions();
        await route.continue();
      },
      { times: 1 },
    );
    const refused = page.waitForResponse('**/player/adjust');
    await dialog.getByRole('button', { name: 'Credit' }).click();
    expect((await refused).status()).toBe(401);
    const lock = lockOf(page);
    await lock.waitFor();
    expect(await lock.getByLabel('E-mail').inputValue()).toBe(person.email);
    expect(await dialog.isVisible()).toBe(false);
    expect((await ask(page, path)).status).toBe(401);
    await expectAccessible(page);
    await signInAgain(page);
    expect(await dialog.getByLabel('Amount (EUR)').inputValue()).toBe('2.50');
    expect(Number(await balance())).toBe(9);
    await dialog.getByRole('button', { name: 'Credit' }).click();
    await page.getByText('11.50 EUR').first().waitFor();
    expect(Number(await balance())).toBe(11.5);
    await end();
  });

  it('the live figures stop when the session ends, and resume after the same person signs in', async () => {
    await site.player(site.of, { playerId: 'live', balance: '9.00' });
    const { page, end, endSessions } = await open('');
    const live = page.getByText('Live', { exact: true }).last();
    const bets = page.locator('.cf-figures');
    const bet = (id: string, amount: string) =>
      site.callback({ action: 'bet', player_id: 'live', transaction_id: id, amount });
    await live.waitFor();
    await bet('before', '1.25');
    await bets.getByText('1.25').first().waitFor();
    await endSessions();
    await lockOf(page).waitFor();
    expect(await live.isVisible()).toBe(false);
    await bet('meanwhile', '2.00');
    expect((await ask(page, '/live')).status).toBe(401);
    await signInAgain(page);
    await bets.getByText('3.25').first().waitFor();
    await bet('after', '4.00');
    await bets.getByText('7.25').first().waitFor();
    await live.waitFor();
    await end();
  });
});
