// The games in a real browser: by key and by touch, on a phone and on a large screen.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { launch, register, startProvider, startWallet } from './given.ts';

const chromiumFile = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((file) => file !== '' && existsSync(file));

const isSkipped = chromiumFile === undefined && !process.env.CI;
if (isSkipped)
  process.stderr.write('SKIPPED: the games in a browser, because Chromium is missing\n');

describe.skipIf(isSkipped)('a game in the browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    if (chromiumFile === undefined) throw new Error('Chromium is missing');
    browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  async function openGame(options: {
    game: string;
    width?: number;
    fields?: object;
    draw?: number;
    before?: (page: Page) => Promise<void>;
  }) {
    const wallet = await startWallet();
    const { draw, width = 1600 } = options;
    const provider = await startProvider(draw === undefined ? {} : { draw: () => draw });
    await register(provider, wallet);
    const launched = await launch(provider, { game_id: options.game, ...options.fields });
    const { launch_url: place } = launched.body as { launch_url: string };
    const viewport = { width, height: width < 600 ? 760 : 900 };
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => {
      // A refusal is an answer; the browser notes its status by itself.
      const isOurs = !line.text().startsWith('Failed to load resource');
      if (line.type() === 'error' && isOurs) complaints.push(line.text());
    });
    await options.before?.(page);
    await page.goto(place);
    await page.waitForSelector('#spin:enabled');
    return { wallet, provider, page, complaints };
  }

  const overflow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

  it.each([
    ['moon-harvest', 380],
    ['moon-harvest', 1600],
    ['ruby-fruits', 380],
    ['harbour-roulette', 380],
    ['harbour-roulette', 1600],
    ['neon-dice', 380],
    ['neon-dice', 1600],
  ])('%s is played by the space bar at %i px, and nothing is cut off', async (game, width) => {
    const { wallet, page, complaints } = await openGame({ game, width });
    expect(await page.textContent('#balance')).toBe('€100.00');
    await page.keyboard.press('Space');
    await expect.poll(() => wallet.actions()).toEqual(['balance', 'bet', 'win']);
    const shown = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
    await page.waitForSelector('#spin:enabled');
    expect(await page.textContent('#balance')).toBe(shown.format(wallet.balance));
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['moon-harvest', '.reels'],
    ['harbour-roulette', '.board'],
    ['neon-dice', '.board'],
  ])('%s fills a phone held sideways, and the button stays in sight', async (game, stage) => {
    const { page } = await openGame({ game });
    await page.setViewportSize({ width: 740, height: 360 });
    const [shown, button] = [page.locator(stage), page.locator('#spin')];
    expect((await shown.boundingBox())?.width).toBeGreaterThan(400);
    const place = await button.boundingBox();
    expect((place?.y ?? 0) + (place?.height ?? 360)).toBeLessThanOrEqual(360);
    expect(await overflow(page)).toBe(0);
  });

  it('a win is announced with its amount', async () => {
    const { page } = await openGame({ game: 'harbour-roulette', draw: 3 });
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=good]');
    expect(await page.textContent('#message')).toBe('You win €2.00.');
    expect(await page.textContent('#win')).toBe('€2.00');
  });

  it('an answer that is lost on its way to the browser does not bet twice', async () => {
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

  it('a reload goes on where the game was', async () => {
    const { wallet, page } = await openGame({ game: 'harbour-roulette', draw: 3 });
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=good]');
    await page.reload();
    await page.waitForSelector('#spin:enabled');
    expect(await page.textContent('#balance')).toBe('€101.00');
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=good]');
    expect(wallet.balance).toBe(102);
  });

  it('says when the balance is not enough, and lets a smaller stake be tried', async () => {
    const { wallet, page } = await openGame({ game: 'moon-harvest' });
    wallet.balance = 0.6;
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=bad]');
    expect(await page.textContent('#message')).toContain('Not enough balance');
    expect(await page.textContent('#balance')).toBe('€0.60');
    await page.click('#less');
    expect(await page.textContent('#bet')).toBe('€0.50');
    await page.waitForSelector('#spin:enabled');
  });

  it('says when the wallet is out of reach, and offers the way back', async () => {
    const { wallet, page } = await openGame({ game: 'moon-harvest' });
    wallet.manners = ['lost', 'lost', 'lost', 'lost', 'answer'];
    await page.click('#spin');
    await page.waitForSelector('#message[data-kind=bad]');
    expect(await page.textContent('#message')).toContain('your stake is returned');
    expect(await page.getAttribute('#leave', 'href')).toBe('https://casino.example/back');
    await expect.poll(() => wallet.actions().at(-1)).toBe('rollback');
    expect(wallet.balance).toBe(100);
  });

  it('shows its paytable by key and closes it again', async () => {
    const { page } = await openGame({ game: 'moon-harvest', fields: { mode: 'demo' } });
    await page.focus('#rules');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] .pay');
    expect(await page.textContent('dialog .facts')).toContain('% of stakes come back');
    await page.keyboard.press('Escape');
    expect(await page.isVisible('dialog')).toBe(false);
  });
});
