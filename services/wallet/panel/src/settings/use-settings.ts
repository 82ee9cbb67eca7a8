// The package's settings, and the way to change them.
import { get } from '@counterfoil/ui/api/request.ts';
import { useQuery } from '@tanstack/react-query';
import { usePackage } from '../package.ts';
import type { Package } from '../wire.ts';

export function useSettings() {
  const { id, base } = usePackage();
  return useQuery({
    queryKey: ['package', id],
    queryFn: () => get<{ package: Package }>(base),
  });
}
