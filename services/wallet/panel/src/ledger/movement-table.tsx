// A few movements without pages.
import { Empty } from '@counterfoil/ui/parts/states.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { NotebookTabs } from 'lucide-react';
import { words } from '../strings.ts';
import type { Movement } from '../wire.ts';
import { movementColumns } from './movement-columns.tsx';

export function MovementTable({ rows }: { rows: readonly Movement[] }) {
  if (rows.length === 0)
    return <Empty title={words.ledger.none} text={words.ledger.noneText} icon={NotebookTabs} />;
  return (
    <Rows
      label={words.pages.ledger}
      rows={rows}
      rowKey={(each) => each.sequence}
      columns={movementColumns}
    />
  );
}
