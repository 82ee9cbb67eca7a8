// The provider in the wallet panel: its games, the source of the catalogue, and the provider's state.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sendWithToken } from '../../services/wallet/server/test/environment/people.ts';
import { expectAccessible } from './browser.ts';
import type { Person } from './browsing.ts';
import { describeWallet, visitLobby } from './wallet-site.ts';

interface Listed {
  readonly source: string;
  readonly total: number;
  readonly games: readonly { game_name: string; category: string; provider: string }[];
}

describeWallet('the wallet panel (provider)', (site) => {
  const visit = (who: Person, path: string) => visitLobby(site, who, path);

  const list = async (query = ''): Promise<Listed> => {
    const url = `/api/v1/game/list?${query}`;
    return (await site.app.inject({ url, headers: site.of.headers })).json().data;
  };

  /** Moves the clock, so that the stored catalogue is too old and is loaded again. */
  const passTime = () => {
    site.ahead.ms += 20_000;
  };

  const cardsOn = (page: Page) => page.getByRole('article').allInnerTexts();

  it('panel and API filter games in the same way, and the filters stay in the URL', async () => {
    const { games, total } = await list();
    const { provider, category } = games[0] as Listed['games'][number];
    const { page, end } = await visit(site.member, `/p/${site.of.id}/games`);
    await page.getByText(`${total} games`).waitFor();
    const choose = async (filter: string, option: string) => {
      await page.getByRole('combobox', { name: filter }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const agree = async (query: string) => {
      const wanted = await list(query);
      await page.getByText(new RegExp(`^${wanted.total} games?$`)).waitFor();
      const shown = await cardsOn(page);
      expect(shown).toHaveLength(Math.min(wanted.total, 48));
      const names = wanted.games.map(({ game_name: name }) => name);
      expect(shown.every((card, place) => card.startsWith(names[place] as string))).toBe(true);
      return wanted.total;
    };
    await choose('Category', category);
    const ofCategory = `category=${encodeURIComponent(category)}`;
    expect(await agree(ofCategory)).toBeLessThan(total);
    await choose('Provider', provider);
    const ofBoth = `${ofCategory}&provider=${encodeURIComponent(provider)}`;
    await agree(ofBoth);
    const word = (games[0]?.game_name ?? '').slice(0, 5).toUpperCase();
    await page.getByLabel('Name or id').fill(word);
    await page.waitForURL(/search=/);
    await page.reload();
    await agree(`${ofBoth}&search=${encodeURIComponent(word)}`);
    await page.getByLabel('Name or id').fill('no such game');
    await page.getByText('No games', { exact: true }).waitFor();
    await expectAccessible(page);
    await end();
  });

  it('the panel shows the source of the catalogue in a badge while sources fail and recover', async () => {
    const { page, end } = await visit(site.member, `/p/${site.of.id}/games`);
    const { total } = await list();
    const see = async (label: string, source: string) => {
      passTime();
      await page.reload();
      await page.getByText(label, { exact: true }).waitFor();
      expect((await list()).source).toBe(source);
      expect((await cardsOn(page)).length).toBeGreaterThan(0);
    };
    await see('Private', 'private');
    await site.orderFaults({ private: 'unavailable' });
    await see('Public', 'public');
    await site.orderFaults({ private: 'unavailable', public: 'html' });
    await see('Stale', 'stale');
    await page.locator('[tabindex="0"]', { hasText: /^Stale$/ }).focus();
    await page.getByText('The last good copy').waitFor();
    await expectAccessible(page);
    await site.orderFaults({});
    // The faults may have opened a circuit breaker. The wallet then calls the private API again only after
    // some time, so the test moves the clock until the list comes from the private API.
    const renew = async () => {
      passTime();
      return (await list()).source;
    };
    await expect.poll(renew).toBe('private');
    await page.reload();
    await page.getByText('Private', { exact: true }).waitFor();
    await page.getByText(`${total} games`).waitFor();
    await end();
  });

  it('the panel shows a new admin token once; the token works on /admin/v1 until it is revoked', async () => {
    const { page, end } = await visit(site.administrator, '/admin/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('nightly report');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = (await dialog.getByTestId('secret').innerText()).trim();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const send = sendWithToken(site.app, token);
    const { status, body } = await send('GET', `/admin/v1/packages/${site.of.id}`);
    expect([status, body.data.package.uid]).toEqual([200, site.of.uid]);
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    const row = page.getByRole('row', { name: 'nightly report' });
    await row.getByText('Active').waitFor();
    expect(await page.content()).not.toContain(token);
    await row.getByRole('button', { name: 'Revoke nightly report' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await send('GET', `/admin/v1/packages/${site.of.id}`)).status).toBe(401);
    await end();
  });

  it('if the provider fails, the panel shows the breaker, the error and packages not yet sent', async () => {
    const of = await site.package({ name: 'Unheard' });
    const { page, end } = await visit(site.administrator, '/admin/provider');
    const source = page.getByRole('row', { name: 'Private catalogue' });
    await source.getByText('Closed').waitFor();
    await page.getByText('All packages are up to date at the provider').waitFor();
    await site.orderFaults({ private: 'unavailable' });
    for (let failures = 0; failures < 5; failures++) {
      passTime();
      expect((await list()).source).toBe('public');
    }
    const ask = (path: string) => page.evaluate(async (url) => (await (await fetch(url)).json()).data, path);
    const find = async () => {
      const { sources } = await ask('/panel/admin/upstream');
      return sources.find((each: { source: string }) => each.source === 'private_catalogue');
    };
    const { breaker, last_failure: why } = await find();
    expect([breaker, why]).toEqual(['open', 'wrong_status']);
    await source.getByText('Open', { exact: true }).waitFor();
    await source.getByText('The provider answered with an error.').waitFor();
    await page.getByText('Public', { exact: true }).waitFor();

    await page.goto(`/admin/packages/${of.id}`);
    await page.getByText('Up to date at the provider').waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel(/^Type/).fill('Unheard');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Not yet sent to the provider').waitFor();
    const registration = async () => (await ask(`/panel/admin/packages/${of.id}/registration`)).registration;
    await expect.poll(async () => (await registration()).last_error).not.toBeNull();
    const { pending, last_error: error } = await registration();
    expect(pending).toBe(true);
    await page.goto('/admin/provider');
    const waiting = page.getByRole('row', { name: 'Unheard' });
    await waiting.getByText(error, { exact: true }).waitFor();
    await expectAccessible(page);
    await site.orderFaults({});
    passTime();
    await waiting.waitFor({ state: 'detached' });
    expect((await registration()).pending).toBe(false);
    await end();
  });
});
