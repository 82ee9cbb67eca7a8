// The settings and the credit of a package.
import { get } from '@counterfoil/ui/api/request.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useQuery } from '@tanstack/react-query';
import type { Credit, Package } from './wire.ts';

const refreshMs = 30_000;

export const useCredit = (packageId: number) =>
  useQuery({
    queryKey: ['credit', packageId],
    queryFn: () => get<Credit>(`/panel/packages/${packageId}/credit`),
    refetchInterval: refreshMs,
  });

export function useSettings() {
  const { id, base } = useTenant();
  return useQuery({
    queryKey: ['package', id],
    queryFn: () => get<{ package: Package }>(base),
  });
}
