// The top of a page: what it is, in a sentence what for, and what can be done here.
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function PageHeader(props: { title: ReactNode; text?: ReactNode; actions?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={2} maw={680}>
        <Title order={1} size="h3" className="cf-break">
          {props.title}
        </Title>
        {props.text && (
          <Text size="sm" c="dimmed" className="cf-break">
            {props.text}
          </Text>
        )}
      </Stack>
      {props.actions && <Group gap="xs">{props.actions}</Group>}
    </Group>
  );
}
