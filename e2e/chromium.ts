// Finds the browser that the stories are walked in; without one they are passed over, aloud.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const places = [
  process.env.CHROMIUM_PATH,
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
