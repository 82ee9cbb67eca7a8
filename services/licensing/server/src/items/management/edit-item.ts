// Changes an item's fields; what is published stays fit to be.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Item } from '../item.ts';
import { changeItem, type ItemToChange } from './change-item.ts';
import type { ItemChanges } from './item-input.ts';

const same = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((each, i) => each === b[i])
    : a === b;

/** Reads the changes against the locked item, whose currency they may depend on. */
export const editItem = (
  tx: Tx,
  target: ItemToChange,
  read: (item: Item) => ItemChanges,
): Promise<Item> =>
  changeItem(tx, target, (item) => {
    const changes = read(item);
    const fields = Object.entries(changes)
      .filter(([field, value]) => !same(value, item[field as keyof Item]))
      .map(([field]) => field);
    if (fields.length === 0) return undefined;
    return { item: { ...item, ...changes }, action: 'item_edited', details: { fields } };
  });
