// Finds Chromium for the tests that need a browser. Without Chromium, the tests are skipped with a warning,
// or fail if `CI` is set.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

export const isHeadless = process.env.HEADED !== '1';

// The headless shell is preferred: it is the same browser engine without windows, and it is faster. A browser
// context with a small page takes 0.05 s of CPU time in the headless shell and 0.30 s in the full browser
// (Chromium 156).
const places = [
  process.env.CHROMIUM_PATH,
  ...(isHeadless ? ['/usr/bin/chromium-headless-shell'] : []),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

/**
 * The features of Chromium that are disabled. Some of them load a page for the address bar of every window.
 * Loading this page takes a third of the CPU time of a browser context. This list replaces Playwright's list
 * of disabled features, so it repeats the entries of Playwright that are needed.
 */
const unusedFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** The time limit of a step in a browser. Every correct step is faster, even on a slow machine. */
export const browserTimeoutMs = 180_000;

export const launchOptions = {
  ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
  headless: isHeadless,
  timeout: browserTimeoutMs,
  args: [
    // Chromium's sandbox does not work for the root user, and containers often run as root. So for root it is
    // switched off.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--disable-features=${unusedFeatures.join(',')}`,
  ],
};

/**
 * Skips the tests if there is no browser. If the variable `CI` is set, a test fails instead, so that a
 * missing browser is noticed.
 */
export function describeInBrowser(title: string, tests: () => void): void {
  if (chromiumPath !== undefined) {
    describe(title, tests);
    return;
  }
  if (process.env.CI) {
    it(`${title}: needs Chromium`, () => expect.unreachable('there is no Chromium'));
    return;
  }
  process.stderr.write(`\nNOT TESTED, because Chromium is missing: ${title}. Set CHROMIUM_PATH.\n`);
  describe.skip(`${title} (needs Chromium)`, tests);
}
