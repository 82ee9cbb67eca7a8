// The parts of a page: its header, framed sections, facts, figures, and the states of its data (loading,
// error).
import {
  Alert,
  Anchor,
  Box,
  Button,
  Center,
  Group,
  Loader,
  Stack,
  Text,
  type TextProps,
  Title,
} from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiProblem, describeProblem } from '../api/problem.ts';
import { words } from '../strings.ts';

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
  /** If true, the section has no padding. Tables use this. */
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

/** Classifies the length of the longest value. Long values get a smaller font, to fit the frame. */
function findLength(values: readonly ReactNode[]): 'long' | 'longest' | undefined {
  const length = Math.max(...values.map((each) => (typeof each === 'string' ? each.length : 0)));
  if (length <= 12) return undefined;
  return length > 17 ? 'longest' : 'long';
}

export function Figure(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  /**
   * The other values of the same row. The longest value of the row determines the font size of all its
   * values.
   */
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

export function PageLoading() {
  return (
    <Center h={240} role="status" aria-label={words.state.loading}>
      <Loader size="sm" />
    </Center>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = error instanceof ApiProblem ? error.requestId : '';
  return (
    <Alert color="red" variant="light" icon={<CircleAlert />} title={words.state.failed}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{describeProblem(error)}</Text>
        {requestId !== '' && (
          <Text size="xs" className="cf-mono">
            {words.state.requestId(requestId)}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {words.state.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function NotFound() {
  return (
    <Center mih="60vh" p="md" component="main">
      <Stack align="center" gap="xs">
        <Title order={1} size="h2">
          {words.state.notFoundTitle}
        </Title>
        <Text c="dimmed">{words.state.notFoundText}</Text>
        <Anchor href="/">{words.state.goHome}</Anchor>
      </Stack>
    </Center>
  );
}

/** The text in place of an empty list. The text describes the entries of the list and how to add an entry. */
export function Empty(props: { title: string; text?: string; icon?: LucideIcon; action?: ReactNode }) {
  const Icon = props.icon ?? Inbox;
  return (
    <Stack align="center" gap="xs" py={48} px="md">
      <Icon size={28} strokeWidth={1.5} aria-hidden />
      <Text fw={600} ta="center">
        {props.title}
      </Text>
      {props.text && (
        <Hint size="sm" ta="center" maw={440}>
          {props.text}
        </Hint>
      )}
      {props.action && <Group mt="xs">{props.action}</Group>}
    </Stack>
  );
}

export function QueryView<Data>(props: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <PageLoading />;
}
