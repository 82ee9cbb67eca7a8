// The page of one round: players, totals, and a timeline of events.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Facts, Hint, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useFilters } from '@counterfoil/ui/table/filters.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Box, Group, Stack, Text } from '@mantine/core';
import { Change, formatMoney } from '../parts/amount.tsx';
import { isRefused, Kind } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { nameConnection } from '../providers/connection.ts';
import { words } from '../strings.ts';
import type { Round } from '../wire.ts';
import { RoundState } from './rounds.tsx';

const text = words.rounds;

export default function RoundPage() {
  const { id, base } = useTenant();
  const { round_id = '', player_id, connection_id } = useFilters().filters;
  const query = useGet<Round>(['round', id, round_id, player_id, connection_id], `${base}/round`, {
    query: { round_id, player_id, connection_id },
    refetchInterval: 5_000,
  });
  return (
    <>
      <PageHeader title={round_id} text={text.one} />
      <QueryView query={query}>
        {(round) => (
          <Stack gap="lg">
            {round.truncated && <Alert color="amber">{text.truncated}</Alert>}
            <Surface title={text.sum}>
              <Facts
                facts={[
                  [text.state, <RoundState key="state" state={round.state} />],
                  [words.live.bets, formatMoney(round.bet_total, round.currency)],
                  [words.live.wins, formatMoney(round.win_total, round.currency)],
                  [words.pages.players, listOnce(round.players.map((each) => each.player_id))],
                  ...describeConnections(round),
                ]}
              />
            </Surface>
            <Surface title={text.timeline}>
              <Timeline round={round} />
            </Surface>
          </Stack>
        )}
      </QueryView>
    </>
  );
}

const listOnce = (names: readonly string[]): string => [...new Set(names)].sort().join(', ');

/**
 * Lists the connections of the providers that play the round. A round with callbacks only in the wallet's own
 * protocol has no such connection, so nothing is shown.
 */
function describeConnections({ players }: Round): [string, string][] {
  const names = players.flatMap(({ connection }) => (connection ? [nameConnection(connection)] : []));
  return names.length === 0 ? [] : [[words.pages.provider, listOnce(names)]];
}

const toneOf = (event: Round['events'][number]): string => {
  if (isRefused(event.result)) return 'refused';
  return event.change === 0 ? 'quiet' : 'moved';
};

function Timeline({ round }: { round: Round }) {
  const { to } = useTenant();
  return (
    <ol className="cf-timeline">
      {round.events.map((event) => (
        <li key={event.sequence} data-tone={toneOf(event)}>
          <Box>
            <Group justify="space-between" gap="xs">
              <Kind {...event} />
              <Change value={event.change} />
            </Group>
            <Text size="sm" className="cf-break">
              <PanelLink
                to={to(paths.transactions, { id: event.transaction_id })}
                className="cf-mono"
                underline="always"
              >
                {event.transaction_id}
              </PanelLink>{' '}
              {text.balanceAfter(formatMoney(event.balance, round.currency))}
            </Text>
            <Hint>
              {[
                formatMoment(event.created_at),
                event.connection?.name,
                event.shortfall && words.ledger.shortfall(formatMoney(event.shortfall, round.currency)),
                !event.names_round && text.byReference,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Hint>
          </Box>
        </li>
      ))}
    </ol>
  );
}
