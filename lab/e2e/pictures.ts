// Saves screenshots of the panels: a few in the docs, the others next to the tests.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Scheme } from './browser.ts';

export const pictureLooks: { width: number; scheme: Scheme }[] = [
  { width: 1600, scheme: 'light' },
  { width: 1600, scheme: 'dark' },
  { width: 380, scheme: 'light' },
  { width: 380, scheme: 'dark' },
];

/** The screenshots in README and docs, as `<panel>-<name>-<width>-<scheme>`. */
const shown = new Set([
  'licensing-dashboard-1600-light',
  'licensing-api-key-1600-dark',
  'licensing-check-1600-light',
  'wallet-live-1600-light',
  'wallet-games-1600-dark',
  'wallet-inspector-1600-light',
]);

export async function takePicture(
  page: Page,
  of: { panel: string; name: string; width: number; scheme: Scheme },
): Promise<void> {
  const title = `${of.panel}-${of.name}-${of.width}-${of.scheme}`;
  const folder = join(import.meta.dirname, shown.has(title) ? '../../docs/pictures' : 'pictures');
  await mkdir(folder, { recursive: true });
  // Waits for canvas drawings and animations, which finish after the network is quiet.
  await page.waitForTimeout(600);
  await page.screenshot({
    path: join(folder, `${title}.png`),
    fullPage: !shown.has(title),
    animations: 'disabled',
  });
}
