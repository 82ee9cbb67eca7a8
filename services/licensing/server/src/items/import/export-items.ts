// Exports the items of a workspace, oldest first, with one page in memory at a time.
import { presentTime } from '@counterfoil/kit/http/answers';
import { formatMinor } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { OutRow, Value } from '../../transfer/write-rows.ts';
import type { Item } from '../item.ts';
import { selectItemsAfter } from '../management/queries.ts';
import { itemColumns } from './item-row.ts';

const pageSize = 500;

export async function* exportItems(db: Db, { workspaceId }: { workspaceId: bigint }): AsyncGenerator<OutRow> {
  for (let afterId = 0n; ; ) {
    const page = await selectItemsAfter(db, { workspaceId, afterId, limit: pageSize });
    for (const item of page) yield presentRow(item);
    const last = page.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

const presentRow = (item: Item): OutRow => {
  const cells = Object.entries(itemColumns).map(([column, field]) => [
    column,
    presentCell(item[field], item.currency),
  ]);
  return { id: Number(item.id), ...Object.fromEntries(cells) };
};

/** Formats a bigint as an amount, because the only bigint columns are prices. */
function presentCell(value: Item[keyof Item], currency: string): Value {
  if (typeof value === 'bigint') return formatMinor(value, currency);
  if (value instanceof Date) return presentTime(value);
  return value ?? '';
}
