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

/** Locked for the person of that e-mail; nobody unlocks. */
export function setLocked(email: string | undefined): void {
  if (lockedFor === email) return;
  lockedFor = email;
  for (const listener of listeners) listener();
}

export const isLocked = (): boolean => lockedFor !== undefined;

export const useLockedFor = (): string | undefined =>
  useSyncExternalStore(subscribe, () => lockedFor);

export interface SessionWatch {
  /** To be told of every refusal. */
  readonly onProblem: (error: unknown) => void;
  /** To be told whenever the service said who is signed in. */
  readonly onMe: (me: Me) => void;
}

export function watchSession(handlers: {
  /** Nobody was here yet: to the page where one signs in. */
  readonly redirectToSignIn: () => void;
  /** The same person is back. */
  readonly resume: () => void;
  /** Somebody may have changed where this person belongs, and in which role. */
  readonly refreshTenants: () => void;
}): SessionWatch {
  let known: Me['person'] | undefined;
  return {
    onProblem: (error) => {
      if (!(error instanceof ApiProblem)) return;
      if (error.status === 403 || error.status === 404) handlers.refreshTenants();
      if (error.code !== 'not_signed_in') return;
      if (known) setLocked(known.email);
      else handlers.redirectToSignIn();
    },
    onMe: ({ person }) => {
      if (known && known.id !== person.id) {
        // Everything in memory was another's, so a new document takes the place of this one.
        setLocked(known.email);
        window.location.replace('/');
        return;
      }
      known = person;
      if (!isLocked()) return;
      setLocked(undefined);
      handlers.resume();
    },
  };
}
