// The state of a purchase as a badge.
import { Badge } from '@mantine/core';
import { words } from '../strings.ts';

const colors: Record<string, string> = {
  active: 'pine',
  refunded: 'gray',
  cancelled: 'gray',
  disputed: 'amber',
};

export const PurchaseState = ({ state }: { state: string }) => (
  <Badge color={colors[state] ?? 'gray'}>{words.purchases.states[state]}</Badge>
);
