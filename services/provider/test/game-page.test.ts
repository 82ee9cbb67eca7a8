// The games in a real browser, with keyboard and pointer, on a phone and on a large screen.
import { expect, it } from 'vitest';
import { describeGames, openGame, playBySpaceBar, turnSideways } from './game-in-browser.ts';

describeGames('a game in the browser', () => {
  it.each([
    ['moon-harvest', 380],
    ['harbour-roulette', 1600],
  ])('the game %s can be played with the space bar at %i px, and nothing is cut off', playBySpaceBar);

  it('a game does not bet twice if the answer to the browser is lost', async () => {
    let lost = 0;
    const { wallet, page } = await openGame({
      game: 'harbour-roulette',
      draw: 3,
      before: async (each) => {
        await each.route('**/api/spin', async (route) => {
          if (lost++ > 0) return route.continue();
          await route.fetch();
          return route.abort();
        });
      },
    });
    await page.keyboard.press('Enter');
    await page.waitForSelector('#message[data-kind=good]');
    expect(lost).toBe(2);
    expect(wallet.actions()).toEqual(['balance', 'bet', 'win']);
    expect(await page.textContent('#balance')).toBe('€101.00');
  });

  it('a game announces the amount of a win, and can be played again after a page reload', async () => {
    const { wallet, page } = await openGame({ game: 'harbour-roulette', draw: 3 });
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=good]');
    expect(await page.textContent('#message')).toBe('You win €2.00.');
    expect(await page.textContent('#win')).toBe('€2.00');
    await page.reload();
    await page.waitForSelector('#spin:enabled');
    expect(await page.textContent('#balance')).toBe('€101.00');
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=good]');
    expect(wallet.balance).toBe(102);
  });

  it('the game reports that the balance is too low, and then accepts a smaller stake', async () => {
    const { wallet, page } = await openGame({ game: 'moon-harvest' });
    wallet.balance = 0.6;
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=bad]');
    expect(await page.textContent('#message')).toContain('Not enough balance');
    expect(await page.textContent('#balance')).toBe('€0.60');
    await page.click('#less');
    expect(await page.textContent('#bet')).toBe('€0.50');
    await page.waitForSelector('#spin:enabled');
    await turnSideways(page, '.reels');
  });
});
