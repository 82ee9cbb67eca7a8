// An item's name where only its id is known.
import { words } from '../strings.ts';
import { useItemNames } from './use-item-names.ts';

export function ItemName({ id }: { id: number }) {
  const names = useItemNames([id]);
  return <span className="cf-break">{names.get(id) ?? words.items.soldAs(id)}</span>;
}
