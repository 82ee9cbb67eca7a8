// Opens a game in a real browser, with a separate provider and wallet.
import { browserTimeoutMs, describeInBrowser, launchOptions } from '@counterfoil/kit/testing/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { drawing, launchGame, register, startProvider, startWallet } from './given.ts';

let browser: Browser;

export const describeGames = (title: string, tests: () => void): void =>
  describeInBrowser(title, () => {
    beforeAll(async () => {
      browser = await chromium.launch(launchOptions);
    });
    afterAll(() => browser?.close());
    tests();
  });

export async function openGame(options: {
  game: string;
  width?: number;
  fields?: object;
  draw?: number;
  before?: (page: Page) => Promise<void>;
}) {
  const wallet = await startWallet();
  const { draw, width = 1600 } = options;
  const provider = await startProvider({
    // The link of the game must not expire while a slow browser starts.
    linkMs: 3_600_000,
    ...(draw !== undefined && drawing(draw)),
  });
  await register(provider, wallet);
  const gameUrl = await launchGame(provider, { game_id: options.game, ...options.fields });
  const viewport = { width, height: width < 600 ? 760 : 900 };
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  page.context().setDefaultTimeout(browserTimeoutMs);
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    // The browser logs an error for each request that the server refuses. These errors are not defects of the
    // page.
    const isOurs = !line.text().startsWith('Failed to load resource');
    if (line.type() === 'error' && isOurs) complaints.push(line.text());
  });
  await options.before?.(page);
  await page.goto(gameUrl);
  await page.waitForSelector('#spin:enabled');
  return { wallet, provider, page, complaints };
}

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

/** Plays a round with the space bar, and checks that nothing is cut off. */
export async function playBySpaceBar(game: string, width: number): Promise<void> {
  const { wallet, page, complaints } = await openGame({ game, width });
  expect(await page.textContent('#balance')).toBe('€100.00');
  await page.keyboard.press('Space');
  await expect.poll(() => wallet.actions()).toEqual(['balance', 'bet', 'win']);
  const shown = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
  await page.waitForSelector('#spin:enabled');
  expect(await page.textContent('#balance')).toBe(shown.format(wallet.balance));
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
}

/** Checks that a game fills a phone in landscape, and that its button stays visible. */
export async function turnSideways(page: Page, stage: string): Promise<void> {
  await page.setViewportSize({ width: 740, height: 360 });
  const [shown, button] = [page.locator(stage), page.locator('#spin')];
  expect((await shown.boundingBox())?.width).toBeGreaterThan(400);
  const box = await button.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 360)).toBeLessThanOrEqual(360);
  expect(await overflow(page)).toBe(0);
}
