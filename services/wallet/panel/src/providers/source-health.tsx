// The health of connections that are sources of games: reachable, failing, or served from a copy.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { formatMoment, Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { Badge, Stack, Text } from '@mantine/core';
import { BreakerBadge, FailureTime } from '../parts/badges.tsx';
import { words } from '../strings.ts';
import type { Connection, GameSource } from '../wire.ts';

const text = words.gameSources;

const colors: Readonly<Record<GameSource['state'], string>> = {
  reachable: 'pine',
  circuit_open: 'red',
  stale: 'amber',
  unavailable: 'red',
  too_large: 'red',
  not_requested: 'gray',
  never_read: 'gray',
};

interface SourceProps {
  readonly connection: Connection;
  /** The API path of the package: the path for members or the path for administrators. */
  readonly base: string;
}

/** Returns the health of a connection; undefined if it is no source of games or the answer is pending. */
function useGameSource({ connection: { id }, base }: SourceProps): GameSource | undefined {
  const query = useGet<{ sources: GameSource[] }>(['game-sources', base], `${base}/game-sources`, {
    refetchInterval: 10_000,
  });
  return query.data?.sources.find(({ source }) => source === id);
}

const describeCopy = ({ copy }: GameSource): string | undefined =>
  copy ? text.copy(copy.total, formatMoment(copy.updated_at)) : undefined;

const StateBadge = ({ source }: { source: GameSource }) => (
  <Badge color={colors[source.state]}>{text.states[source.state]}</Badge>
);

/** The state of a connection in the list of connections. */
export function SourceState(props: SourceProps) {
  const source = useGameSource(props);
  if (!source) return <Hint size="sm">{words.nothing}</Hint>;
  return (
    <Noted note={describeCopy(source)} maw={200}>
      <StateBadge source={source} />
    </Noted>
  );
}

/**
 * The state on the page of a connection, with the last success and failure. Renders nothing if the connection
 * is no source of games.
 */
export function SourceHealth(props: SourceProps) {
  const source = useGameSource(props);
  if (!source) return null;
  const copy = describeCopy(source);
  const calls = [
    { name: text.lists, ...source.list },
    { name: text.launches, ...source.launch },
  ];
  return (
    <Surface title={text.title} text={text.text} flush>
      <Stack gap="xs" px="md" pb="sm" align="flex-start">
        <StateBadge source={source} />
        <Text size="sm">{[text.meanings[source.state], copy].filter(Boolean).join(' ')}</Text>
      </Stack>
      <Rows
        label={text.title}
        rows={calls}
        rowKey={({ name }) => name}
        columns={[
          {
            title: text.calls,
            render: ({ name }) => (
              <Text size="sm" fw={550}>
                {name}
              </Text>
            ),
          },
          { title: words.provider.breaker, render: ({ breaker }) => <BreakerBadge breaker={breaker} /> },
          {
            title: words.provider.lastSuccess,
            render: ({ last_success_at: at }) => (at ? <Moment at={at} /> : words.never),
          },
          { title: words.provider.lastFailure, render: (each) => <FailureTime of={each} /> },
        ]}
      />
    </Surface>
  );
}
