// Whether a package is approved, and whether it is a twin for tests.
import { Badge, Group } from '@mantine/core';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const colors = { pending: 'amber', approved: 'pine', suspended: 'red' } as const;

export function PackageState({ found }: { found: Package }) {
  return (
    <Group gap={6}>
      <Badge variant="light" color={colors[found.state]}>
        {words.admin.states[found.state]}
      </Badge>
      {found.sandbox && <Badge variant="default">{words.admin.sandbox}</Badge>}
    </Group>
  );
}
