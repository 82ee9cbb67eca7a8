// The top-ups and reversals of a package, newest first.
import { formatAmount } from '@counterfoil/ui/parts/amount.ts';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Surface } from '@counterfoil/ui/parts/page.tsx';
import { CursorTable } from '@counterfoil/ui/table/cursor-table.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { Badge } from '@mantine/core';
import { Coins } from 'lucide-react';
import { words } from '../strings.ts';
import type { TopUp } from '../wire.ts';

const text = words.topUps;

const formatChange = ({ type, amount, currency }: TopUp): string =>
  `${type === 'top_up' ? '+' : '−'}${formatAmount(amount, currency)}`;

export function TopUps({ path }: { path: string }) {
  return (
    <Surface title={text.title} flush>
      <CursorTable<TopUp>
        label={text.title}
        queryKey={['top-ups', path]}
        rowKey={(each) => each.sequence}
        path={path}
        field="top_ups"
        query={{ limit: 25 }}
        empty={<Empty title={text.none} text={text.noneText} icon={Coins} />}
        columns={[
          { title: words.ledger.when, render: (each) => <Moment at={each.created_at} /> },
          {
            title: words.adjust.id,
            render: (each) => (
              <Noted note={each.note}>
                <span className="cf-mono cf-break">{each.transaction_id}</span>
              </Noted>
            ),
          },
          {
            title: words.ledger.change,
            align: 'right',
            render: (each) =>
              each.result === 'applied' ? (
                <span className="cf-amount">{formatChange(each)}</span>
              ) : (
                <Badge color="red">{text.refused}</Badge>
              ),
          },
          {
            title: text.balance,
            align: 'right',
            render: (each) => <span className="cf-amount">{formatAmount(each.balance, each.currency)}</span>,
          },
        ]}
      />
    </Surface>
  );
}
