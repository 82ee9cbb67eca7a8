// Locks the page when its session ends, and unlocks it when the same person signs in again.
import { useSyncExternalStore } from 'react';
import type { Me } from '../api/me.ts';
import { ApiProblem } from '../api/problem.ts';

let lockedFor: string | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Locks the panel until the person with this e-mail signs in again. Undefined unlocks the panel. */
function setLocked(email: string | undefined): void {
  if (lockedFor === email) return;
  lockedFor = email;
  for (const listener of listeners) listener();
}

export const useLockedFor = (): string | undefined => useSyncExternalStore(subscribe, () => lockedFor);

export function watchSession(handlers: {
  /** Called if the service asks for a sign-in, and nobody has been signed in on this page yet. */
  readonly redirectToSignIn: () => void;
  /** Called when the same person has signed in again. */
  readonly resume: () => void;
  /** Called when memberships or roles may have changed. */
  readonly refreshTenants: () => void;
}) {
  let known: Me['person'] | undefined;
  return {
    /** Must be called with every error of a request. */
    onProblem: (error: unknown) => {
      if (!(error instanceof ApiProblem)) return;
      if (error.status === 403 || error.status === 404) handlers.refreshTenants();
      if (error.code !== 'not_signed_in') return;
      if (known) setLocked(known.email);
      else handlers.redirectToSignIn();
    },
    /** Must be called with every response that names the signed-in person. */
    onMe: ({ person }: Me) => {
      if (known && known.id !== person.id) {
        // A different person has signed in. The cached data belongs to the previous person, so the page stays
        // locked until the browser has loaded the first page of the panel.
        setLocked(known.email);
        window.location.replace('/');
        return;
      }
      known = person;
      if (lockedFor === undefined) return;
      setLocked(undefined);
      handlers.resume();
    },
  };
}
