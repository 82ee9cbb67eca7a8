// The rounds of a package: all rounds, newest first, or only the open rounds, oldest first.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { ChoiceFilter, TextFilter, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group } from '@mantine/core';
import { Spade } from 'lucide-react';
import { PlayerLink } from '../ledger/movements.tsx';
import { Amount } from '../parts/amount.tsx';
import { PromoBadge } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { RoundLine } from '../wire.ts';

const text = words.rounds;

export function RoundState({ state }: Pick<RoundLine, 'state'>) {
  return <Badge color={state === 'open' ? 'amber' : 'gray'}>{text.states[state]}</Badge>;
}

export default function Rounds() {
  const { id, base, to } = useTenant();
  const { state, player_id } = useFilters().filters;
  const toRound = (round: RoundLine) =>
    to(paths.round, {
      round_id: round.round_id,
      player_id: round.player_id,
      connection_id: round.connection?.id,
    });
  return (
    <TablePage<RoundLine>
      label={words.pages.rounds}
      text={text.text}
      queryKey={['rounds', id]}
      rowKey={(round) => [round.connection?.id, round.round_id, round.player_id, round.purse].join(' ')}
      rowTo={toRound}
      path={`${base}/rounds`}
      field="rounds"
      query={{ state, player_id }}
      empty={<Empty title={text.none} text={text.noneText} icon={Spade} />}
      columns={[
        {
          title: words.pages.round,
          render: (round) => (
            <Noted note={[round.game_id, round.connection?.name].filter(Boolean).join(' · ')}>
              <PanelLink to={toRound(round)} className="cf-mono cf-break">
                {round.round_id}
              </PanelLink>
            </Noted>
          ),
        },
        { title: words.pages.player, render: (round) => <PlayerLink playerId={round.player_id} /> },
        {
          title: text.state,
          render: ({ state, purse }) => (
            <Group gap={6}>
              <RoundState state={state} />
              <PromoBadge purse={purse} />
            </Group>
          ),
        },
        { title: words.live.bets, align: 'right', render: (each) => <Amount value={each.bet_total} /> },
        { title: words.live.wins, align: 'right', render: (each) => <Amount value={each.win_total} /> },
        { title: text.opened, render: (round) => <Moment at={round.opened_at} /> },
      ]}
    >
      <TextFilter name="player_id" label={words.ledger.playerFilter} width={200} />
      <ChoiceFilter name="state" label={text.which} choices={[{ value: 'open', label: text.onlyOpen }]} />
    </TablePage>
  );
}
