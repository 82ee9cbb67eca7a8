// Who is signed in, and the way out.
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { describeProblem } from './problem.ts';
import { get, remove } from './request.ts';

export interface Me {
  readonly person: { readonly id: number; readonly email: string; readonly name: string };
  readonly memberships: readonly { readonly tenant_id: number; readonly role: string }[];
  readonly second_factor: boolean;
  readonly recovery_codes_left: number;
}

export const meKey = ['me'] as const;

/** Asked again whenever the tab is returned to: in another one somebody else may have signed in. */
export const useMe = () =>
  useQuery({
    queryKey: meKey,
    queryFn: () => get<Me>('/panel/session'),
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
  });

/** Everything that was read for one person is forgotten before the next. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await remove('/panel/session');
    } catch (error) {
      // Still signed in: whoever walks away from the screen must know.
      notifications.show({ message: describeProblem(error), color: 'red' });
      return;
    }
    client.clear();
    window.location.assign('/sign-in');
  };
}
