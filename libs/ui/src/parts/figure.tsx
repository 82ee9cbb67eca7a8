// One figure of a dashboard: a number, what it counts, and what to make of it.
import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A long number is written smaller, so that it stays in its frame. */
function findLength(values: readonly ReactNode[]): 'long' | 'longest' | undefined {
  const length = Math.max(...values.map((each) => (typeof each === 'string' ? each.length : 0)));
  if (length <= 12) return undefined;
  return length > 17 ? 'longest' : 'long';
}

export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  /** The values in one row with it: all are written as small as the longest needs. */
  beside?: readonly string[];
}) {
  const { value, beside = [] } = props;
  return (
    <Box className="cf-surface cf-figure" p="md">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text className="cf-figure-value" data-long={findLength([value, ...beside])}>
        {value}
      </Text>
      {props.note && (
        <Text size="xs" c="dimmed">
          {props.note}
        </Text>
      )}
    </Box>
  );
}
