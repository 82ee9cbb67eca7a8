// Loads the script of a page. If the service is not reachable, shows an error with a button to retry.
import { useEffect } from 'react';
import type { Page } from '../panel.ts';
import { Failed } from '../parts/page.tsx';

async function isServiceThere(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/**
 * Loads the script of a page. If the load fails although the service is reachable, a newer build has
 * replaced the script. The error then makes the router reload the page.
 */
export async function loadPage(load: Page['load']): ReturnType<Page['load']> {
  try {
    return await load();
  } catch (error) {
    if (await isServiceThere()) throw error;
    return { default: () => <UnavailablePage error={error} /> };
  }
}

/**
 * Reloads the document if the service is reachable. Browsers cache a failed script import, so only a reload
 * fetches it again.
 */
async function retry(): Promise<void> {
  if (await isServiceThere()) location.reload();
}

function UnavailablePage({ error }: { error: unknown }) {
  // The failed load may have been a preload some time ago. So when the error is shown, the document is
  // reloaded if the service is reachable by now.
  useEffect(() => void retry(), []);
  return <Failed error={error} onRetry={() => void retry()} />;
}
