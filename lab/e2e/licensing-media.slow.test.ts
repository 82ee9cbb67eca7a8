// The demo's pictures, sounds and films load under the page's content security policy.
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, settle } from './browser.ts';
import {
  type DemoWorkspace,
  getDemoWorkspace,
  type LicensingSite,
  openLicensingSite,
} from './licensing-site.ts';

describeInBrowser('the licensing panel (media of items)', () => {
  let site: LicensingSite;
  let demo: DemoWorkspace;

  beforeAll(async () => {
    site = await openLicensingSite({ demo: true });
    demo = await getDemoWorkspace(site);
  });

  afterAll(() => site?.close());

  /** Loads a sound or film until its duration and first frames are available. */
  const load = (player: Locator) =>
    player.evaluate(
      (element: HTMLMediaElement) =>
        new Promise<{ duration: number; width: number }>((resolve, reject) => {
          element.onerror = () => reject(new Error(element.error?.message));
          element.oncanplay = () => {
            const width = element instanceof HTMLVideoElement ? element.videoWidth : 0;
            resolve({ duration: element.duration, width });
          };
          element.preload = 'auto';
          element.load();
        }),
    );

  it('the panel shows the pictures and loads the sounds and videos of each item', async () => {
    const { page, end } = await site.visit(demo);
    const kinds = new Set<string>();
    for (const { id, kind } of demo.items) {
      kinds.add(kind);
      await page.goto(`/w/1/items/${id}`);
      const media = page.getByRole('region', { name: 'Preview' });
      await media.locator('img').first().waitFor();
      await settle(page);
      const isShown = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0;
      for (const image of await media.locator('img').all()) {
        await image.scrollIntoViewIfNeeded();
        await expect.poll(() => image.evaluate(isShown)).toBe(true);
      }
      expect(await media.getByText('cannot be shown').count()).toBe(0);
      if (kind === 'audio') expect((await load(media.locator('audio'))).duration).toBeCloseTo(3.2, 1);
      if (kind === 'video') {
        const film = await load(media.locator('video'));
        expect([Math.round(film.duration), film.width]).toEqual([4, 480]);
      }
      await expectAccessible(page);
    }
    expect(kinds).toEqual(new Set(['image', 'video', 'audio']));
    await end();
  });
});
