// The state of an item as a badge.
import { Badge } from '@mantine/core';
import { words } from '../strings.ts';

const colors: Record<string, string> = { draft: 'gray', published: 'pine', withdrawn: 'amber' };

export const ItemState = ({ state }: { state: string }) => (
  <Badge color={colors[state] ?? 'gray'}>{words.items.states[state]}</Badge>
);
