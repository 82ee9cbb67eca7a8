// The current workspace: its id, the path of its data, and the addresses of its pages.
import { fillPath } from '@counterfoil/ui/panel.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useMemo } from 'react';

export function useWorkspace() {
  const { id, name, role } = useTenant();
  return useMemo(
    () => ({
      id,
      name,
      isOwner: role === 'owner',
      /** The path of this workspace in the service. */
      base: `/panel/workspaces/${id}`,
      to: (path: string, params: Readonly<Record<string, string | number>> = {}) =>
        fillPath(path, { ...params, workspace_id: id }),
    }),
    [id, name, role],
  );
}
