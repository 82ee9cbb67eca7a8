// The logo and the name of the panel.
import { Group, Text } from '@mantine/core';
import { words } from '../strings.ts';
import mark from './mark.svg';

export function Brand({ name }: { name: string }) {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={mark} width={26} height={26} alt="" />
      <Text fw={680} fz={15} lh={1}>
        {words.brand}
      </Text>
      <Text c="dimmed" fz={15} lh={1}>
        {name}
      </Text>
    </Group>
  );
}
