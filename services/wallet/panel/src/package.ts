// The package whose pages one is on: where its data is, and the addresses of its pages.
import { writeQuery } from '@counterfoil/ui/api/request.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useMemo } from 'react';

export function usePackage() {
  const { id, name, role } = useTenant();
  return useMemo(
    () => ({
      id,
      name,
      isOwner: role === 'owner',
      /** Where the service has this package. */
      base: `/panel/packages/${id}`,
      /** A page of this package; ids of players and rounds may be any text, so they go as a query. */
      to: (path: string, query: Readonly<Record<string, string | undefined>> = {}) =>
        `${fillPath(path, { package_id: id })}${writeQuery(query)}`,
    }),
    [id, name, role],
  );
}
