// Pages of a site in Chromium, for strangers or for people who are signed in.
import { type Look, launchBrowser, openPage, type WatchedPage } from './browser.ts';

export interface Visitor {
  readonly email: string;
  readonly password: string;
}

export interface Visits {
  /** A page with a context of its own, where nobody has signed in. */
  openPage(look?: Look): Promise<WatchedPage>;
  /** The same with that person signed in, on the path or the panel's first page. */
  visit(who: Visitor, path?: string, look?: Look): Promise<WatchedPage>;
}

interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/** Closing the site closes its pages first. */
export async function withBrowser<Opened extends Site>(site: Opened): Promise<Opened & Visits> {
  const browser = await launchBrowser().catch(async (error) => {
    await site.close();
    throw error;
  });
  const opened: WatchedPage[] = [];
  const open = async (look?: Look) => {
    const page = await openPage(browser, site.origin, look);
    opened.push(page);
    return page;
  };
  const visit = async (who: Visitor, path = '/', look?: Look) => {
    const visited = await open(look);
    await signInByApi(visited, site.origin, who);
    await visited.page.goto(path);
    return visited;
  };
  const close = async () => {
    await Promise.all(opened.map(({ context }) => context.close()));
    await site.close();
  };
  return { ...site, openPage: open, visit, close };
}

/** The stories about signing in use the form; all others start with the session's cookie. */
async function signInByApi({ context }: WatchedPage, origin: string, who: Visitor): Promise<void> {
  const { email, password } = who;
  const answer = await context.request.post('/panel/session', {
    data: { email, password },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(`signing in as ${email} answered ${answer.status()}`);
}
