// One figure of a dashboard: a number, what it counts, and what to make of it.
import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Figure(props: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Box className="cf-surface cf-figure" p="md">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text
        className="cf-figure-value"
        {...(typeof props.value === 'string' && props.value.length > 12 && { 'data-long': true })}
      >
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
