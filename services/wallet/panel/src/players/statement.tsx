// The statement of a player: movements, newest first, with the balance after each.
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Surface } from '@counterfoil/ui/parts/page.tsx';
import { CursorTable } from '@counterfoil/ui/table/cursor-table.tsx';
import type { Column } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Receipt } from 'lucide-react';
import { TransactionLink } from '../ledger/movements.tsx';
import { Amount, Change } from '../parts/amount.tsx';
import { Kind } from '../parts/badges.tsx';
import { words } from '../strings.ts';
import type { StatementLine } from '../wire.ts';

const text = words.players;

export const statementColumns: readonly Column<StatementLine>[] = [
  { title: words.ledger.when, render: (line) => <Moment at={line.created_at} /> },
  { title: words.ledger.kind, render: (line) => <Kind kind={line.kind} result={line.result} /> },
  { title: words.ledger.transaction, render: (line) => <TransactionLink movement={line} /> },
  {
    title: words.ledger.change,
    align: 'right',
    render: (line) => <Change value={line.change} amount={line.amount} />,
  },
  { title: words.ledger.balance, align: 'right', render: (line) => <Amount value={line.balance} /> },
];

/** Cash and promo money have separate statements. */
export function Statement({ playerId, purse }: { playerId: string; purse?: 'promo' }) {
  const { id, base } = useTenant();
  const title = purse ? text.promoStatement : text.statement;
  return (
    <Surface title={title} flush>
      <CursorTable<StatementLine>
        label={title}
        queryKey={['statement', id, playerId, purse ?? 'cash']}
        fixed={['player_id', 'purse']}
        rowKey={(line) => line.sequence}
        path={`${base}/player/statement`}
        field="transactions"
        query={{ limit: 25, player_id: playerId, ...(purse && { purse }) }}
        empty={<Empty title={words.ledger.none} text={text.noMovementsText} icon={Receipt} />}
        columns={statementColumns}
      />
    </Surface>
  );
}
