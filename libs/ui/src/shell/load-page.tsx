// Loads the script of a page, and shows an error with a retry if the service is not reachable.
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

/** If the service is reachable, a newer build replaced the script and the router reloads the page. */
export async function loadPage(load: Page['load']): ReturnType<Page['load']> {
  try {
    return await load();
  } catch (error) {
    if (await isServiceThere()) throw error;
    return { default: () => <UnavailablePage error={error} /> };
  }
}

/** Browsers cache a failed script import, so only a reload fetches it again. */
async function retry(): Promise<void> {
  if (await isServiceThere()) location.reload();
}

function UnavailablePage({ error }: { error: unknown }) {
  // The failed load may have been a preload long ago, so try again now.
  useEffect(() => void retry(), []);
  return <Failed error={error} onRetry={() => void retry()} />;
}
