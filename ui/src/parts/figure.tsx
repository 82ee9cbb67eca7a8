// One figure of a dashboard: a number, what it counts, and what to make of it.
import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A long number is written smaller, so that it stays in its frame. */
function findLength(value: ReactNode): 'long' | 'longest' | undefined {
  if (typeof value !== 'string' || value.length <= 12) return undefined;
  return value.length > 17 ? 'longest' : 'long';
}

export function Figure(props: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Box className="cf-surface cf-figure" p="md">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text className="cf-figure-value" data-long={findLength(props.value)}>
        {props.value}
      </Text>
      {props.note && (
        <Text size="xs" c="dimmed">
          {props.note}
        </Text>
      )}
    </Box>
  );
}
