// Shows a draft or withdrawn item to buyers; it keeps the moment of its first publication.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Item } from '../item.ts';
import { changeItem, type ItemToChange } from './change-item.ts';

export const publishItem = (tx: Tx, target: ItemToChange): Promise<Item> =>
  changeItem(tx, target, (item) => {
    if (item.state === 'published') return undefined;
    const publishedAt = item.publishedAt ?? target.now;
    return {
      item: { ...item, state: 'published', publishedAt },
      action: 'item_published',
      details: { from: item.state },
    };
  });
