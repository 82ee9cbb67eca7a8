// Takes a published item off the list; its buyers keep what they bought.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { Item } from '../item.ts';
import { changeItem, type ItemToChange } from './change-item.ts';

export const withdrawItem = (tx: Tx, target: ItemToChange): Promise<Item> =>
  changeItem(tx, target, (item) => {
    if (item.state === 'withdrawn') return undefined;
    if (item.state !== 'published')
      throw fail('item_state_conflict', { data: { state: item.state } });
    return { item: { ...item, state: 'withdrawn' }, action: 'item_withdrawn' };
  });
