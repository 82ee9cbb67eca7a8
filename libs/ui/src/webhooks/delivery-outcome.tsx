// What became of one attempt, in a word.
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../language.ts';
import { Moment } from '../parts/moment.tsx';
import { words } from '../strings.ts';
import type { Delivery } from './wire.ts';

const text = words.webhooks;
const colors = { delivered: 'pine', failed: 'red', refused: 'amber' } as const;

/** The service names faults in short words. */
export const tellFault = (error: string): string => text.errors[error] ?? error;

export const tellTook = (ms: number): string => text.milliseconds(formatNumber(ms));

export function OutcomeBadge({ outcome }: { outcome: Delivery['outcome'] }) {
  return <Badge color={colors[outcome]}>{text.outcomes[outcome]}</Badge>;
}

/** Of attempts that were followed by others, the next one lies behind too, and says nothing. */
export function NextAttempt({ delivery }: { delivery: Delivery }): ReactNode {
  const at = delivery.next_attempt_at;
  return at && Date.parse(at) > Date.now() ? <Moment at={at} /> : text.nothing;
}
