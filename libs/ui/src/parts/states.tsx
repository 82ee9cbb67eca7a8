// The states of a page or a section: loading, failed, not found, empty.
import { Alert, Anchor, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiProblem, describeProblem } from '../api/problem.ts';
import { words } from '../strings.ts';
import { Hint } from './layout.tsx';

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

/** Shown in place of an empty list: describes the entries of the list and how to add one. */
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
