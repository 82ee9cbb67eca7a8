// Chooses one of the workspace's items, by name.
import { Select, type SelectProps } from '@mantine/core';
import { words } from '../strings.ts';
import { useNewestItems } from './use-item-names.ts';

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
