// Pages of a site in Chromium, for strangers or for people who are signed in.
import type { BrowserContext, Page } from 'playwright-core';
import { type Look, launchBrowser, openContext, openPageIn, type WatchedPage } from './browser.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface Browsing {
  /** A page with a context of its own, where nobody has signed in. */
  openPage(look?: Look): Promise<WatchedPage>;
  /** The same with that person signed in, on the path or the panel's first page. */
  visit(who: Person, path?: string, look?: Look): Promise<WatchedPage>;
}

interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** Closing the site closes its pages first. */
export async function withBrowser<Opened extends Site>(site: Opened): Promise<Opened & Browsing> {
  const browser = await launchBrowser().catch(async (error) => {
    await site.close();
    throw error;
  });
  const contexts = new Set<BrowserContext>();
  const idle: BrowserContext[] = [];
  /** A visit takes the context of an ended one: the panel's scripts are in its cache already. */
  const open = async (look?: Look): Promise<WatchedPage> => {
    const context = idle.pop() ?? (await openContext(browser, site.origin));
    contexts.add(context);
    const opened = await openPageIn(context, site.origin, look);
    const close = async () => {
      await empty(context, site.origin);
      idle.push(context);
    };
    return { ...opened, close };
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

/** Leaves nothing of a visit in its context but the cache of files. */
async function empty(context: BrowserContext, origin: string): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  const [first, ...others] = context.pages();
  await Promise.all(others.map((page) => page.close()));
  if (!first) return;
  await first.goto('about:blank');
  const session = await context.newCDPSession(first);
  const storageTypes = 'cookies,local_storage,session_storage,indexeddb';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await context.clearCookies();
  await first.close();
}

/** The stories about signing in use the form; all others start with the session's cookie. */
async function signInByApi({ context }: WatchedPage, origin: string, who: Person): Promise<void> {
  const { email, password } = who;
  const answer = await context.request.post('/panel/session', {
    data: { email, password },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(`signing in as ${email} answered ${answer.status()}`);
}

export async function signIn(
  page: Page,
  person: { email: string; password: string },
): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in' && url.pathname !== '/');
}
