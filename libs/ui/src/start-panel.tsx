// Starts a panel on the page.
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Me, meKey } from './api/me.ts';
import { ApiProblem } from './api/problem.ts';
import { writeQuery } from './api/request.ts';
import { language } from './language.ts';
import { type Panel, PanelContext } from './panel.ts';
import { createPanelRouter } from './router.tsx';
import { sharedPaths } from './shared-paths.ts';
import { LockScreen } from './sign-in/lock-screen.tsx';
import { words } from './strings.ts';
import { tenantsKey } from './tenant.ts';
import { resolveVariables, theme } from './theme.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './panel.css';
import { watchSession } from './sign-in/session-lock.ts';

/** Reads the nonce of the content security policy, which the styles of the theme need. */
const readNonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/**
 * The library that locks scrolling under a dialog reads the nonce for its style element from this global
 * variable.
 */
declare global {
  var __webpack_nonce__: string | undefined;
}

const isRefusal = (error: unknown) => error instanceof ApiProblem && error.status < 500;

export function startPanel(panel: Panel): void {
  globalThis.__webpack_nonce__ = readNonce();
  document.documentElement.lang = language;
  const router = createPanelRouter(panel);
  const watch = watchSession({
    redirectToSignIn: () => {
      const { pathname, searchStr } = router.state.location;
      const outside: readonly string[] = [sharedPaths.welcome, sharedPaths.reset];
      if (outside.includes(pathname)) return;
      client.clear();
      const to = pathname === '/' ? undefined : `${pathname}${searchStr}`;
      // The sign-in page is not part of the router, so the browser loads it as a new document.
      window.location.replace(`${sharedPaths.signIn}${writeQuery({ to })}`);
    },
    resume: () => {
      notifications.show({ message: words.lock.back, color: 'pine' });
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
    },
    refreshTenants: () => void client.invalidateQueries({ queryKey: tenantsKey }),
  });
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: watch.onProblem,
      onSuccess: (data, { queryKey }) => {
        if (queryKey[0] === meKey[0]) watch.onMe(data as Me);
      },
    }),
    mutationCache: new MutationCache({ onError: watch.onProblem }),
    defaultOptions: {
      // The result of an action may be a secret. So the result is deleted as soon as its dialog is closed.
      mutations: { gcTime: 0 },
      // Errors with a 4xx status are final. Other errors are retried twice.
      queries: { retry: (failures, error) => failures < 2 && !isRefusal(error), staleTime: 5_000 },
    },
  });
  createRoot(document.getElementById('panel') as HTMLElement).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={readNonce}
      >
        <Notifications position="bottom-right" />
        <QueryClientProvider client={client}>
          <PanelContext.Provider value={panel}>
            <RouterProvider router={router} />
            <LockScreen />
          </PanelContext.Provider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
