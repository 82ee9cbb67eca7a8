// The statement of a player: movements, newest first, with the balance after each.
import { get } from '@counterfoil/ui/api/request.ts';
import { Surface } from '@counterfoil/ui/parts/layout.tsx';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty } from '@counterfoil/ui/parts/states.tsx';
import { CursorTable } from '@counterfoil/ui/table/cursor-table.tsx';
import type { Column } from '@counterfoil/ui/table/rows.tsx';
import { Stack, Text } from '@mantine/core';
import { Receipt } from 'lucide-react';
import { usePackage } from '../package.ts';
import { Amount, Change } from '../parts/amount.tsx';
import { Kind } from '../parts/badges.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { StatementLine } from '../wire.ts';

const text = words.players;

export const statementColumns: readonly Column<StatementLine>[] = [
  { title: words.ledger.when, render: (line) => <Moment at={line.created_at} /> },
  { title: words.ledger.kind, render: (line) => <Kind kind={line.kind} result={line.result} /> },
  { title: words.ledger.transaction, render: (line) => <Transaction line={line} /> },
  {
    title: words.ledger.change,
    align: 'right',
    render: (line) =>
      line.change === 0 ? <Amount value={line.amount} quiet /> : <Change value={line.change} />,
  },
  {
    title: words.ledger.balance,
    align: 'right',
    render: (line) => <Amount value={line.balance} />,
  },
];

function Transaction({ line }: { line: StatementLine }) {
  const { to } = usePackage();
  return (
    <Stack gap={0}>
      <PanelLink
        to={to(paths.transactions, { id: line.transaction_id })}
        className="cf-mono cf-break"
      >
        {line.transaction_id}
      </PanelLink>
      {(line.note || line.game_id) && (
        <Text size="xs" c="dimmed" className="cf-break">
          {line.note || line.game_id}
        </Text>
      )}
    </Stack>
  );
}

export function Statement({ playerId }: { playerId: string }) {
  const { id, base } = usePackage();
  return (
    <Surface title={text.statement} flush>
      <CursorTable<StatementLine>
        label={text.statement}
        queryKey={['statement', id, playerId]}
        fixed={['player_id']}
        rowKey={(line) => line.sequence}
        load={async ({ cursor, signal }) => {
          const query = { limit: 25, cursor, player_id: playerId };
          const path = `${base}/player/statement`;
          type Page = { transactions: StatementLine[]; next_cursor: string | null };
          const data = await get<Page>(path, { query, signal });
          return { rows: data.transactions, next_cursor: data.next_cursor };
        }}
        empty={<Empty title={text.noMovements} text={text.noMovementsText} icon={Receipt} />}
        columns={statementColumns}
      />
    </Surface>
  );
}
