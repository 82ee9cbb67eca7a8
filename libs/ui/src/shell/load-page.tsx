// Stands in for a page whose script could not be had, because the service was away.
import { useEffect } from 'react';
import type { Page } from '../panel.ts';
import { Failed } from '../parts/states.tsx';

async function isServiceThere(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** A script that a newer build replaced comes with a reload, and the router does that; else stay. */
export async function loadPage(load: Page['load']): ReturnType<Page['load']> {
  try {
    return await load();
  } catch (error) {
    if (await isServiceThere()) throw error;
    return { default: () => <UnavailablePage error={error} /> };
  }
}

/** Browsers remember a script that they could not have, so a reload is what brings it. */
async function retry(): Promise<void> {
  if (await isServiceThere()) location.reload();
}

function UnavailablePage({ error }: { error: unknown }) {
  // It may have been fetched ahead, and missed, long before it is opened.
  useEffect(() => void retry(), []);
  return <Failed error={error} onRetry={() => void retry()} />;
}
