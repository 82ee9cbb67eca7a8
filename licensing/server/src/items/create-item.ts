// Puts an item into a workspace.
import type { Tx } from '@counterfoil/kit/db';
import type { Item } from './item.ts';
import { insertItemRow } from './store.ts';

export type NewItem = Partial<Omit<Item, 'id'>> &
  Pick<Item, 'workspaceId' | 'kind' | 'name' | 'currency'>;

export async function createItem(tx: Tx, item: NewItem, now: Date): Promise<bigint> {
  return insertItemRow(tx, {
    state: 'draft',
    description: '',
    category: '',
    subCategory: '',
    options: [],
    version: '1.0.0',
    demoLink: '',
    tags: [],
    thumbnailUrl: '',
    previewImageUrl: '',
    previewVideoUrl: '',
    previewAudioUrl: '',
    screenshotUrls: [],
    priceRegularMinor: 0n,
    priceExtendedMinor: 0n,
    createdAt: now,
    updatedAt: now,
    publishedAt: item.state === 'published' ? now : undefined,
    ...item,
  });
}
