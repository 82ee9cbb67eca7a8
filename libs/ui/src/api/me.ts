// Reads the signed-in person, and signs the person out.
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { describeProblem } from './problem.ts';
import { remove } from './request.ts';
import { useGet } from './use-get.ts';

export interface Me {
  readonly person: { readonly id: number; readonly email: string; readonly name: string };
  readonly memberships: readonly { readonly tenant_id: number; readonly role: string }[];
  readonly second_factor: boolean;
  readonly recovery_codes_left: number;
}

export const meKey = ['me'] as const;

/**
 * Reads the data of the signed-in person. Reads the data again each time the tab gets the focus, because
 * another person may have signed in from another tab.
 */
export const useMe = () =>
  useGet<Me>(meKey, '/panel/session', { staleTime: 60_000, refetchOnWindowFocus: 'always' });

/** Signs out and clears all cached data, so that the next person does not see it. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await remove('/panel/session');
    } catch (error) {
      // The sign-out failed, so the person is still signed in. The person must know this before leaving the
      // computer.
      notifications.show({ message: describeProblem(error), color: 'red' });
      return;
    }
    client.clear();
    window.location.assign('/sign-in');
  };
}
