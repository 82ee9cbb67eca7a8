// Parts that other pages use: the name of an item by its id, its state as a badge, and a select of items.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Select, type SelectProps } from '@mantine/core';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';

export function useNewestItems() {
  const { id, base } = useTenant();
  return useGet<{ items: Item[] }>(['items', id, 'newest'], `${base}/items`, {
    query: { limit: 100 },
    staleTime: 30_000,
  });
}

export function ItemName({ id: itemId }: { id: number }) {
  const { id, base } = useTenant();
  const { data: newest } = useNewestItems();
  const listed = newest?.items.find((item) => item.id === itemId);
  const { data: other } = useGet<{ item: Item }>(['items', id, itemId], `${base}/items/${itemId}`, {
    staleTime: 30_000,
    enabled: newest !== undefined && !listed,
  });
  const name = (listed ?? other?.item)?.name;
  return <span className="cf-break">{name ?? words.items.soldAs(itemId)}</span>;
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
