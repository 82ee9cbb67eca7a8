// Items elsewhere in the panel: the name of an id, the state as a badge, and a select of items.
import { get } from '@counterfoil/ui/api/request.ts';
import { Badge, Select, type SelectProps } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { words } from '../strings.ts';
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

function useItemNames(ids: readonly number[]): ReadonlyMap<number, string> {
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

export function ItemName({ id }: { id: number }) {
  const names = useItemNames([id]);
  return <span className="cf-break">{names.get(id) ?? words.items.soldAs(id)}</span>;
}

const colors: Record<string, string> = { draft: 'gray', published: 'pine', withdrawn: 'amber' };

export const ItemState = ({ state }: { state: string }) => (
  <Badge color={colors[state] ?? 'gray'}>{words.items.states[state]}</Badge>
);

export function ItemSelect(
  props: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
    value: string;
    onChange: (id: string) => void;
  },
) {
  const { value, onChange, ...rest } = props;
  const { data } = useNewestItems();
  const choices = (data?.items ?? []).map(({ id, name }) => ({
    value: String(id),
    label: `${name} (${id})`,
  }));
  return (
    <Select
      searchable
      placeholder={words.purchases.chooseItem}
      {...rest}
      data={choices}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
