// Every kind of game in a real browser, at several widths, and rare states of its page.
import { expect, it } from 'vitest';
import { describeGames, openGame, playBySpaceBar, turnSideways } from './game-in-browser.ts';

describeGames('a game in the browser', () => {
  it.each([
    ['moon-harvest', 1600],
    ['ruby-fruits', 380],
    ['harbour-roulette', 380],
    ['neon-dice', 380],
    ['neon-dice', 1600],
  ])('the game %s can be played with the space bar at %i px, and nothing is cut off', playBySpaceBar);

  it.each([
    ['moon-harvest', '.reels'],
    ['harbour-roulette', '.board'],
    ['neon-dice', '.board'],
  ])('the game %s fills a phone in landscape, and the button stays visible', async (game, stage) => {
    const { page } = await openGame({ game });
    await turnSideways(page, stage);
  });

  it('the game reports that the wallet is unreachable, and links to the return address', async () => {
    const { wallet, page } = await openGame({ game: 'moon-harvest' });
    wallet.behaviours = ['lost', 'lost', 'lost', 'lost', 'answer'];
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=bad]');
    expect(await page.textContent('#message')).toContain('your stake is returned');
    expect(await page.getAttribute('#leave', 'href')).toBe('https://casino.example/back');
    await expect.poll(() => wallet.actions().at(-1)).toBe('rollback');
    expect(wallet.balance).toBe(100);
  });

  it('a game opens and closes its paytable with the keyboard', async () => {
    const { page } = await openGame({ game: 'moon-harvest', fields: { mode: 'demo' } });
    await page.focus('#rules');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] .pay');
    expect(await page.textContent('dialog .facts')).toContain('% of stakes come back');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.isVisible('dialog')).toBe(false);
  });
});
