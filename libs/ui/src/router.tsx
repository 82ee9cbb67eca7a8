// The pages of a panel as routes, each loaded when it is first opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { writeQuery } from './api/request.ts';
import type { Page, Panel } from './panel.ts';
import { Failed, NotFound, PageLoading } from './parts/page.tsx';
import { sharedPaths } from './shared-paths.ts';
import { Frame } from './shell/frame.tsx';
import { loadPage } from './shell/load-page.tsx';
import { words } from './strings.ts';

/** Pages without the frame, for people who are not signed in or have no tenant yet. */
const barePages: readonly Page[] = [
  { path: sharedPaths.home, title: words.home.title, load: () => import('./shell/home-page.tsx') },
  { path: sharedPaths.welcome, title: words.link.welcome, load: () => import('./sign-in/link-page.tsx') },
  { path: sharedPaths.reset, title: words.link.reset, load: () => import('./sign-in/link-page.tsx') },
];

const accountPage: Page = {
  path: sharedPaths.account,
  title: words.account.title,
  load: () => import('./account/account-page.tsx'),
};

/**
 * Parses the query of an address. Values stay strings, so a filter that looks like a number is not converted.
 */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function createPanelRouter(panel: Panel) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
  const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });
  const toRoute = (parent: typeof root | typeof frame) => (page: Page) =>
    createRoute({
      getParentRoute: () => parent as typeof root,
      path: page.path,
      component: lazyRouteComponent(() => loadPage(page.load)),
      // Pointing at a link only preloads its page, so the title of the document does not change.
      beforeLoad: ({ preload }) => {
        if (!preload) document.title = `${page.title} · ${panel.name}`;
      },
    });
  const tree = root.addChildren([
    ...barePages.map(toRoute(root)),
    frame.addChildren([accountPage, ...panel.pages].map(toRoute(frame))),
  ]);
  return createRouter({
    routeTree: tree,
    parseSearch,
    stringifySearch: (search) => writeQuery(search),
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
    scrollRestoration: true,
  });
}
