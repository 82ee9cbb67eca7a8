// The building blocks of a page: its header, framed sections, lists of facts, figures, and hints.
import { Box, Group, Stack, Text, type TextProps, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Small dimmed text. */
export function Hint(props: TextProps & { role?: string; children: ReactNode }) {
  return <Text size="xs" c="dimmed" {...props} />;
}

export function PageHeader(props: { title: ReactNode; text?: ReactNode; actions?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={2} maw={680}>
        <Title order={1} size="h3" className="cf-break">
          {props.title}
        </Title>
        {props.text && (
          <Hint size="sm" className="cf-break">
            {props.text}
          </Hint>
        )}
      </Stack>
      {props.actions && <Group gap="xs">{props.actions}</Group>}
    </Group>
  );
}

export function Surface(props: {
  title?: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** No padding, for tables. */
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
              <Hint size="sm" maw={640} className="cf-break">
                {text}
              </Hint>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <Box p={flush ? 0 : 'md'}>{props.children}</Box>
    </Box>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="cf-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Long values get a smaller font so that they fit the frame. */
function findLength(values: readonly ReactNode[]): 'long' | 'longest' | undefined {
  const length = Math.max(...values.map((each) => (typeof each === 'string' ? each.length : 0)));
  if (length <= 12) return undefined;
  return length > 17 ? 'longest' : 'long';
}

export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  /** The other values of the row. All of them get the font size that the longest value needs. */
  sameRow?: readonly string[];
}) {
  const { value, sameRow = [] } = props;
  return (
    <Box className="cf-surface cf-figure" p="md">
      <Hint size="sm">{props.label}</Hint>
      <Text className="cf-figure-value" data-long={findLength([value, ...sameRow])}>
        {value}
      </Text>
      {props.note && <Hint>{props.note}</Hint>}
    </Box>
  );
}
