// The package's credit, its alert and its runway: asked for once, shown in many places.
import { get } from '@counterfoil/ui/api/request.ts';
import { useQuery } from '@tanstack/react-query';
import type { Credit } from '../wire.ts';

const refreshMs = 30_000;

export const useCredit = (packageId: number) =>
  useQuery({
    queryKey: ['credit', packageId],
    queryFn: () => get<Credit>(`/panel/packages/${packageId}/credit`),
    refetchInterval: refreshMs,
  });
