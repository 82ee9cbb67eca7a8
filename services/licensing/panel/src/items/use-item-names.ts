// The names of items by their ids: the newest hundred at once, others when they are asked for.
import { get } from '@counterfoil/ui/api/request.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Item } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';

export function useNewestItems() {
  const { id, base } = useWorkspace();
  return useQuery({
    queryKey: ['items', id, 'newest'],
    queryFn: () => get<{ items: Item[] }>(`${base}/items`, { query: { limit: 100 } }),
    staleTime: 30_000,
  });
}

export function useItemNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const { id, base } = useWorkspace();
  const newest = useNewestItems();
  const names = new Map((newest.data?.items ?? []).map((item) => [item.id, item.name]));
  const missing = newest.data ? [...new Set(ids)].filter((each) => !names.has(each)) : [];
  const others = useQueries({
    queries: missing.map((itemId) => ({
      queryKey: ['items', id, itemId],
      queryFn: () => get<{ item: Item }>(`${base}/items/${itemId}`),
      staleTime: 30_000,
    })),
  });
  for (const { data } of others) if (data) names.set(data.item.id, data.item.name);
  return names;
}
