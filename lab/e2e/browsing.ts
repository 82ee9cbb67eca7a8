// Opens pages of a site in Chromium, signed in or not, and groups the tests that share a site.
import { describeInBrowser } from '@counterfoil/kit/testing/chromium';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Look, launchBrowser, openContext, openPageIn, type WatchedPage } from './browser.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface Browsing {
  /** Opens a page in a new context where nobody is signed in. */
  openPage(look?: Look): Promise<WatchedPage>;
  /** Opens the path, or the panel's first page if no path is given. The person is signed in. */
  visit(who: Person, path?: string, look?: Look): Promise<WatchedPage>;
}

interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** Declares tests that share a site. The properties of `site` are set before the first test runs. */
export function describeWithSite<Opened extends Site>(
  title: string,
  open: () => Promise<Opened>,
  body: (site: Opened) => void,
): void {
  describeInBrowser(title, () => {
    const site = {} as Opened;
    beforeAll(async () => void Object.assign(site, await open()));
    afterAll(() => site.close?.());
    body(site);
  });
}

/** Adds a browser to the site. Closing the site closes its pages first. */
export async function withBrowser<Opened extends Site>(site: Opened): Promise<Opened & Browsing> {
  const browser = await launchBrowser().catch(async (error) => {
    await site.close();
    throw error;
  });
  const contexts = new Set<BrowserContext>();
  const idle: BrowserContext[] = [];
  /**
   * Opens a page. Reuses the browser context of a closed page if there is one, because the cache of that
   * context contains the panel's scripts. Otherwise opens a new context.
   */
  const open = async (look?: Look): Promise<WatchedPage> => {
    const context = idle.pop() ?? (await openContext(browser, site.origin));
    contexts.add(context);
    const close = async () => {
      await empty(context, site.origin);
      idle.push(context);
    };
    return openPageIn(context, { origin: site.origin, look, close });
  };
  const visit = async (who: Person, path = '/', look?: Look) => {
    const visited = await open(look);
    await signInByApi(visited, site.origin, who);
    await visited.page.goto(path);
    return visited;
  };
  const close = async () => {
    await Promise.all([...contexts].map((context) => context.close()));
    await site.close();
  };
  return { ...site, openPage: open, visit, close };
}

/** Resets pages, permissions, cookies and storage of the context, but keeps its cache of files. */
async function empty(context: BrowserContext, origin: string): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  // The reset uses a new page. In an old page, a navigation that a test left running could interrupt the
  // reset.
  const used = context.pages();
  const blank = await context.newPage();
  await Promise.all(used.map((page) => page.close()));
  const session = await context.newCDPSession(blank);
  const storageTypes = 'cookies,local_storage,session_storage,indexeddb';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await context.clearCookies();
  await blank.close();
}

/** Signs in through the API. Only tests about signing in use the form. */
async function signInByApi({ context }: WatchedPage, origin: string, who: Person): Promise<void> {
  const { email, password } = who;
  const answer = await context.request.post('/panel/session', {
    data: { email, password },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(`signing in as ${email} answered ${answer.status()}`);
}

/** Signs a person in with the panel's form. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in' && url.pathname !== '/');
}
