// The newest movements of a player, refreshed every 2 s.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { Empty, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Receipt } from 'lucide-react';
import { statementColumns } from '../players/statement.tsx';
import { words } from '../strings.ts';
import type { StatementLine } from '../wire.ts';

const refreshMs = 2_000;

export function WatchPlayer({ playerId, isDemo }: { playerId: string; isDemo: boolean }) {
  const { id, base } = useTenant();
  const query = useGet<{ transactions: StatementLine[] }>(
    ['statement', id, playerId, 'newest'],
    `${base}/player/statement`,
    { query: { player_id: playerId, limit: 6 }, refetchInterval: refreshMs },
  );
  return (
    <Surface title={words.play.watch} text={isDemo ? words.play.watchDemoText : words.play.watchText} flush>
      <QueryView query={query}>
        {({ transactions }) => (
          <Rows
            label={words.play.watch}
            rows={transactions}
            rowKey={(line) => line.sequence}
            empty={<Empty title={words.ledger.none} icon={Receipt} />}
            columns={statementColumns}
          />
        )}
      </QueryView>
    </Surface>
  );
}
