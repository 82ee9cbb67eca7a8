// The list of pools of codes, with the numbers of their codes.
import { formatNumber } from '@counterfoil/ui/language.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Empty } from '@counterfoil/ui/parts/page.tsx';
import { TablePage } from '@counterfoil/ui/table/cursor-table.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Group } from '@mantine/core';
import { Layers } from 'lucide-react';
import { ItemName } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Pool } from '../wire.ts';
import { NewPoolButton } from './new-pool.tsx';

const text = words.pools;

export default function Pools() {
  const { id, base, to } = useTenant();
  const toPool = (pool: Pool) => to(paths.pool, { pool_id: pool.id });
  return (
    <TablePage<Pool>
      label={words.pages.pools}
      text={text.text}
      actions={<NewPoolButton />}
      queryKey={['pools', id, 'table']}
      rowKey={(pool) => pool.id}
      rowTo={toPool}
      path={`${base}/pools`}
      field="pools"
      query={{}}
      empty={<Empty title={text.none} text={text.noneText} icon={Layers} action={<NewPoolButton />} />}
      columns={[
        {
          title: text.name,
          render: (pool) => (
            <Group gap={6}>
              <PanelLink to={toPool(pool)} fw={550} className="cf-break">
                {pool.name}
              </PanelLink>
              {pool.is_low && <Badge color="amber">{text.low}</Badge>}
            </Group>
          ),
        },
        { title: words.pages.item, render: (pool) => <ItemName id={pool.item_id} /> },
        { title: text.free, align: 'right', render: (pool) => formatNumber(pool.free) },
        { title: text.assigned, align: 'right', render: (pool) => formatNumber(pool.assigned) },
        { title: text.withdrawn, align: 'right', render: (pool) => formatNumber(pool.withdrawn) },
      ]}
    />
  );
}
