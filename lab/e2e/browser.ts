// Opens pages in Chromium and records their faults: errors, policy violations, requests to other hosts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { browserTimeoutMs, launchOptions } from '@counterfoil/kit/testing/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Scheme = 'light' | 'dark';

export interface Look {
  readonly width?: number;
  readonly scheme?: Scheme;
}

export const narrowDark = { width: 380, scheme: 'dark' } as const;
export const wideLight = { width: 1600, scheme: 'light' } as const;

const narrowLight = { width: 380, scheme: 'light' } as const;
const wideDark = { width: 1600, scheme: 'dark' } as const;

/**
 * The looks (width and colour scheme) in which axe checks a page. Every page is checked at both widths and in
 * both schemes. Successive pages have different combinations of the two.
 */
export const looksOf = (position: number) =>
  position % 2 === 0 ? ([narrowDark, wideLight] as const) : ([narrowLight, wideDark] as const);

export const allLooks = [narrowDark, narrowLight, wideLight, wideDark] as const;

const height = 900;

/**
 * Waits until the panel has applied the colour scheme, which the panel writes to an attribute of the page.
 * The sign-in page does not set this attribute, so there the wait ends at once.
 */
const waitForScheme = (page: Page, scheme: Scheme) =>
  page.waitForFunction((wanted) => {
    const { mantineColorScheme = wanted } = document.documentElement.dataset;
    return mantineColorScheme === wanted;
  }, scheme);

/** Ends the CSS transitions between two colour schemes, so that no test waits for them. */
function endTransitions(): void {
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
}

/** Runs the check on the page at each width and colour scheme, without loading the page again. */
export async function inLooks(
  page: Page,
  looks: readonly Required<Look>[],
  check: () => Promise<void>,
): Promise<void> {
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await waitForScheme(page, scheme);
    await page.evaluate(endTransitions);
    await check();
  }
}

/** A page and the list of its faults. A test that provokes a fault removes it from the list. */
export interface WatchedPage {
  readonly page: Page;
  readonly faults: string[];
  readonly context: BrowserContext;
  close(): Promise<void>;
  /** Expects no faults, and closes the page. */
  end(): Promise<void>;
}

let launched: Promise<Browser> | undefined;

/** One Chromium for all test files of a worker process; it ends with the process. */
export const launchBrowser = (): Promise<Browser> => {
  launched ??= chromium.launch(launchOptions);
  return launched;
};

export async function openPage(browser: Browser, origin: string, look: Look = {}): Promise<WatchedPage> {
  const context = await openContext(browser, origin);
  return openPageIn(context, { origin, look, close: () => context.close() });
}

export async function openContext(browser: Browser, origin: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    acceptDownloads: true,
    // With reduced motion, dialogs open and close without animation, which saves CPU time.
    reducedMotion: 'reduce',
  });
  // The timeout applies to every page of the context, including pop-ups, and to requests sent through the
  // context.
  context.setDefaultTimeout(browserTimeoutMs);
  await context.addInitScript(recordNotices);
  return context;
}

/**
 * Records notices, because they disappear after four seconds. On a slow machine, a test may look for a notice
 * only after the notice has disappeared.
 */
function recordNotices(): void {
  const notices: string[] = [];
  Object.assign(window, { notices });
  const selector = '.mantine-Notification-description';
  const record = (added: Node) => {
    if (!(added instanceof Element)) return;
    const found = [...added.querySelectorAll(selector), ...(added.matches(selector) ? [added] : [])];
    notices.push(...found.map((each) => each.textContent ?? ''));
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) addedNodes.forEach(record);
  });
  observer.observe(document, { childList: true, subtree: true });
}

/**
 * Waits until a notice with this text is or was shown. Removes this notice and all earlier notices from the
 * recorded notices.
 */
export async function waitForNotice(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const { notices } = window as unknown as { notices: string[] };
    const found = notices.findIndex((each) => each.includes(wanted));
    if (found >= 0) notices.splice(0, found + 1);
    return found >= 0;
  }, text);
}

export async function openPageIn(
  context: BrowserContext,
  options: { origin: string; look: Look | undefined; close: () => Promise<void> },
): Promise<WatchedPage> {
  const { origin, close } = options;
  const { width = 1280, scheme = 'light' } = options.look ?? {};
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  if (scheme === 'dark') await page.emulateMedia({ colorScheme: scheme });
  const faults = watch(page, origin);
  const end = async () => {
    expect(faults).toEqual([]);
    await close();
  };
  return { page, context, faults, close, end };
}

function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    // The browser logs every refusal by the service as an error. These messages are not faults of the page.
    if (message.type() === 'error' && !/the server responded with a status of 4/.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin)
      faults.push(`request to another host: ${url.origin}`);
  });
  return faults;
}

/** Expects that axe finds no serious or critical fault on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = await page.evaluate(async (source) => {
    const scope = globalThis as unknown as {
      axe?: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    if (!scope.axe) new Function(source)();
    if (!scope.axe) throw new Error('axe could not be loaded into the page');
    const { violations: found } = await scope.axe.run({ resultTypes: ['violations'] });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  }, axeSource);
  expect(violations).toEqual([]);
}

/** Expects that the page does not scroll sideways; wide contents scroll in their own container. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(excess).toBeLessThanOrEqual(0);
}

/** Opens another page of the panel without loading the panel again, as a link does. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await waitForRouter(page);
}

/** Waits until the panel shows the page of the new address. Until then, the panel shows the previous page. */
export async function waitForRouter(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // The panel's router stores itself in this global variable for its developer tools.
    const { __TSR_ROUTER__: router } = globalThis as unknown as {
      __TSR_ROUTER__?: { state: { status: string; resolvedLocation?: { href: string } } };
    };
    if (!router) return false;
    const { status, resolvedLocation } = router.state;
    if (status !== 'idle' || !resolvedLocation) return false;
    const resolved = new URL(resolvedLocation.href, location.origin);
    // The router may escape the query differently than the address bar, so parsed queries are compared.
    const query = new URLSearchParams(location.search).toString();
    return resolved.pathname === location.pathname && resolved.searchParams.toString() === query;
  });
}

/** Waits until the panel shows the page of the address, and nothing is loading. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await waitForRouter(page);
  // After two frames, a new page has been rendered. If its data is still missing, the page then shows that it
  // is loading.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}
