// A framed part of a page, with a heading where it has one.
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function Surface(props: {
  title?: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** Tables go to the edges. */
  flush?: boolean;
  children: ReactNode;
}) {
  const { title, text, actions, flush } = props;
  return (
    <Box component="section" className="cf-surface" {...(title && { 'aria-label': title })}>
      {title && (
        <Group justify="space-between" align="flex-start" px="md" pt="md" pb={flush ? 'xs' : 0}>
          <Stack gap={2}>
            <Title order={2} size="h5" className="cf-break">
              {title}
            </Title>
            {text && (
              <Text size="sm" c="dimmed" maw={640} className="cf-break">
                {text}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <Box p={flush ? 0 : 'md'}>{props.children}</Box>
    </Box>
  );
}
