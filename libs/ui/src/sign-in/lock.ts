// Whether the panel is locked: its session has ended, and the page waits for the person to come back.
import { useSyncExternalStore } from 'react';

let lockedFor: string | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Locked for the person of that e-mail; nobody unlocks. */
export function setLocked(email: string | undefined): void {
  if (lockedFor === email) return;
  lockedFor = email;
  for (const listener of listeners) listener();
}

export const isLocked = (): boolean => lockedFor !== undefined;

export const useLockedFor = (): string | undefined =>
  useSyncExternalStore(subscribe, () => lockedFor);
