// The players of a package, ordered by id.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { TextFilter, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { UserRound } from 'lucide-react';
import { Amount } from '../parts/amount.tsx';
import { PlayerStatus } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Player } from '../wire.ts';
import { NewPlayerButton } from './new-player.tsx';

const text = words.players;

export default function Players() {
  const { id, base, to } = useTenant();
  const { search } = useFilters().filters;
  const toPlayer = ({ player_id }: Player) => to(paths.player, { player_id });
  return (
    <TablePage<Player>
      label={words.pages.players}
      text={text.text}
      actions={<NewPlayerButton />}
      queryKey={['players', id]}
      rowKey={(player) => player.player_id}
      rowTo={toPlayer}
      path={`${base}/players`}
      field="players"
      query={{ search }}
      empty={<Empty title={text.none} text={text.noneText} icon={UserRound} action={<NewPlayerButton />} />}
      columns={[
        {
          title: words.pages.player,
          render: (player) => (
            <Noted note={player.name}>
              <PanelLink to={toPlayer(player)} className="cf-break" fw={550}>
                {player.player_id}
              </PanelLink>
            </Noted>
          ),
        },
        { title: text.status, render: ({ status }) => <PlayerStatus status={status} /> },
        { title: text.balance, align: 'right', render: (player) => <Amount value={player.balance} /> },
        { title: text.since, render: (player) => <Moment at={player.created_at} /> },
      ]}
    >
      <TextFilter name="search" label={text.search} />
    </TablePage>
  );
}
