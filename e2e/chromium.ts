// Finds the browser for the tests that need one. Without a browser they are skipped with a warning.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

export const isHeadless = process.env.HEADED === undefined;

// The headless shell is the same engine without the browser's own windows, which cost five times the
// CPU time of a small page: 0.05 s instead of 0.30 s per context in Chromium 156.
const places = [
  process.env.CHROMIUM_PATH,
  ...(isHeadless ? ['/usr/bin/chromium-headless-shell'] : []),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

/** Where CI is set, a missing browser is a failure: nothing must look tested that is not. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (chromiumPath !== undefined) {
    describe(title, tests);
    return;
  }
  if (process.env.CI) {
    it(`${title}: needs Chromium`, () => expect.unreachable('there is no Chromium'));
    return;
  }
  process.stderr.write(`\nNOT TESTED, as there is no Chromium: ${title}. Set CHROMIUM_PATH.\n`);
  describe.skip(`${title} (needs Chromium)`, tests);
}
