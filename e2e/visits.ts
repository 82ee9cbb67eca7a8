// A browser beside a site: pages of it, for strangers or for people signed in, and one end for both.
import { type Look, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { signIn } from './sign-in.ts';

export interface Visitor {
  readonly email: string;
  readonly password: string;
}

export interface Visits {
  /** A page with a context of its own, where nobody has signed in. */
  openPage(look?: Look): Promise<WatchedPage>;
  /** The same with that person signed in, on the path if there is one. */
  visit(who: Visitor, path?: string, look?: Look): Promise<WatchedPage>;
}

interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** Closing the site closes the browser before it. */
export async function withBrowser<Opened extends Site>(site: Opened): Promise<Opened & Visits> {
  const browser = await launchBrowser().catch(async (error) => {
    await site.close();
    throw error;
  });
  const open = (look?: Look) => openPage(browser, site.origin, look);
  const visit = async (who: Visitor, path?: string, look?: Look) => {
    const opened = await open(look);
    await signIn(opened.page, who);
    if (path !== undefined) await opened.page.goto(path);
    return opened;
  };
  const close = async () => {
    await browser.close();
    await site.close();
  };
  return { ...site, openPage: open, visit, close };
}
