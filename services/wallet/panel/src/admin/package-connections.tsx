// The provider connections of a package and the health of their games, for administrators.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { Empty, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Cable } from 'lucide-react';
import { ConnectionTable } from '../providers/connection-table.tsx';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';

const text = words.admin;
const refreshMs = 10_000;

/** `base` is the API path of the package for administrators. */
export function PackageConnections({ base }: { base: string }) {
  const query = useGet<{ connections: Connection[] }>(['connections', base], `${base}/connections`, {
    refetchInterval: refreshMs,
  });
  const { none } = words.providers;
  const empty = <Empty title={none} text={text.noConnectionsText} icon={Cable} />;
  return (
    <Surface title={text.connections} flush>
      <QueryView query={query}>
        {({ connections }) => <ConnectionTable connections={connections} base={base} empty={empty} />}
      </QueryView>
    </Surface>
  );
}
