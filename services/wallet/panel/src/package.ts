// The settings and the credit of a package.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import type { Credit, Package } from './wire.ts';

const refreshMs = 30_000;

export const useCredit = (packageId: number) =>
  useGet<Credit>(['credit', packageId], `/panel/packages/${packageId}/credit`, {
    refetchInterval: refreshMs,
  });

export function useSettings() {
  const { id, base } = useTenant();
  return useGet<{ package: Package }>(['package', id], base);
}
