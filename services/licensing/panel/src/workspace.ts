// The workspace whose pages one is on: where its data is, and the addresses of its pages.
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
      /** Where the service has this workspace. */
      base: `/panel/workspaces/${id}`,
      to: (path: string, params: Readonly<Record<string, string | number>> = {}) =>
        fillPath(path, { ...params, workspace_id: id }),
    }),
    [id, name, role],
  );
}
