// The columns in which movements are shown, and a table of a few movements without pages.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Hint } from '@counterfoil/ui/parts/page.tsx';
import { type Column, Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Text } from '@mantine/core';
import { NotebookTabs } from 'lucide-react';
import { Amount, Change } from '../parts/amount.tsx';
import { Kind } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Movement } from '../wire.ts';

const text = words.ledger;

export const movementColumns: readonly Column<Movement>[] = [
  { title: text.sequence, render: (each) => <span className="cf-mono">{each.sequence}</span> },
  { title: text.when, render: (each) => <Moment at={each.created_at} /> },
  { title: text.kind, render: (each) => <Kind {...each} /> },
  { title: words.pages.player, render: (each) => <PlayerLink playerId={each.player_id} /> },
  { title: text.transaction, render: (each) => <TransactionLink movement={each} /> },
  { title: text.change, align: 'right', render: (each) => <MovementChange movement={each} /> },
  { title: text.balance, align: 'right', render: (each) => <Amount value={each.balance} /> },
];

/**
 * Shows the change of the player's balance. A movement without a player, such as a top-up, changes only the
 * credit, so the change of the credit is shown.
 */
function MovementChange({ movement }: { movement: Movement }) {
  const isPlayers = movement.player_id !== null;
  const value = isPlayers ? movement.player_change : movement.credit_change;
  return <Change value={value} amount={movement.amount} />;
}

export function PlayerLink({ playerId }: { playerId: string | null }) {
  const { to } = useTenant();
  if (!playerId) return <Hint size="sm">{text.ownCredit}</Hint>;
  return (
    <PanelLink to={to(paths.player, { player_id: playerId })} className="cf-break">
      {playerId}
    </PanelLink>
  );
}

type Linked = Pick<Movement, 'transaction_id' | 'note' | 'game_id' | 'connection'>;

export function TransactionLink({ movement }: { movement: Linked }) {
  const { to } = useTenant();
  const { transaction_id: id, note, game_id: game, connection } = movement;
  const shown = [note || game, connection?.name].filter(Boolean).join(' · ');
  return (
    <Noted
      note={
        shown && (
          <Text inherit span lineClamp={2}>
            {shown}
          </Text>
        )
      }
      maw={260}
    >
      <PanelLink to={to(paths.transactions, { id })} className="cf-mono cf-break">
        {id}
      </PanelLink>
    </Noted>
  );
}

export function MovementTable({ rows }: { rows: readonly Movement[] }) {
  return (
    <Rows
      label={words.pages.ledger}
      rows={rows}
      empty={<Empty title={text.none} text={text.noneText} icon={NotebookTabs} />}
      rowKey={(each) => each.sequence}
      columns={movementColumns}
    />
  );
}
