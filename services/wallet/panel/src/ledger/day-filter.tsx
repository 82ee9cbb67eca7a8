// A day that is written into the address.
import { useFilters } from '@counterfoil/ui/table/use-filters.ts';
import { Group, Text, TextInput } from '@mantine/core';

export function DayFilter({ name, label }: { name: string; label: string }) {
  const { filters, set } = useFilters();
  return (
    <Group gap={6} wrap="nowrap" w={{ base: '100%', xs: 'auto' }}>
      <Text size="sm" c="dimmed" component="label" htmlFor={`day-${name}`} miw={38}>
        {label}
      </Text>
      <TextInput
        id={`day-${name}`}
        type="date"
        value={filters[name] ?? ''}
        onChange={(event) => set({ [name]: event.currentTarget.value || undefined })}
        w={{ base: '100%', xs: 150 }}
      />
    </Group>
  );
}
