// The current package: its id, its addresses, its settings and its credit.
import { get, writeQuery } from '@counterfoil/ui/api/request.ts';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Credit, Package } from './wire.ts';

export function usePackage() {
  const { id, name, role } = useTenant();
  return useMemo(
    () => ({
      id,
      name,
      isOwner: role === 'owner',
      /** The path of this package in the service. */
      base: `/panel/packages/${id}`,
      /** The address of a page. Ids of players and rounds may be any text, so they are query parameters. */
      to: (path: string, query: Readonly<Record<string, string | undefined>> = {}) =>
        `${fillPath(path, { package_id: id })}${writeQuery(query)}`,
    }),
    [id, name, role],
  );
}

const refreshMs = 30_000;

export const useCredit = (packageId: number) =>
  useQuery({
    queryKey: ['credit', packageId],
    queryFn: () => get<Credit>(`/panel/packages/${packageId}/credit`),
    refetchInterval: refreshMs,
  });

export function useSettings() {
  const { id, base } = usePackage();
  return useQuery({
    queryKey: ['package', id],
    queryFn: () => get<{ package: Package }>(base),
  });
}
