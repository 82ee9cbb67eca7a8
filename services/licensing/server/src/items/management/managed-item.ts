// An item as management shows it, and the fields that a published item needs.
import { presentTime } from '@counterfoil/kit/http/answers';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { NamedObject } from '../../wire/input.ts';
import { type Item, ItemAnswer, itemKinds, itemStates, presentItem } from '../item.ts';

export const ManagedItem = NamedObject('ManagedItem', {
  ...ItemAnswer.properties,
  external_id: Type.String(),
  kind: Type.Enum([...itemKinds]),
  state: Type.Enum([...itemStates]),
  published_at: Type.String({ description: 'Time of the first publication; "" if there was none.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
  waiting_codes: Type.Integer({
    description: 'Active codes that do not validate until the item is published; 0 afterwards.',
  }),
});

/** Counts the active codes of each item. The result has no entry for an item without codes. */
export type CountCodes = (
  db: Queryable,
  of: { workspaceId: bigint; itemIds: readonly bigint[] },
) => Promise<ReadonlyMap<bigint, number>>;

/**
 * Presents items for management. `waiting_codes` is the number of active codes of an item that was never
 * published, because these codes do not validate yet. For all other items it is 0.
 */
export async function presentManagedItems(db: Queryable, countCodes: CountCodes, items: readonly Item[]) {
  const unpublished = items.filter((item) => item.publishedAt === undefined);
  const [first] = unpublished;
  const itemIds = unpublished.map((item) => item.id);
  const codes = first && (await countCodes(db, { workspaceId: first.workspaceId, itemIds }));
  return items.map((item) => presentManagedItem(item, codes?.get(item.id) ?? 0));
}

const presentManagedItem = (item: Item, waitingCodes: number) => ({
  ...presentItem(item),
  external_id: item.externalId ?? '',
  kind: item.kind,
  state: item.state,
  created_at: presentTime(item.createdAt),
  updated_at: presentTime(item.updatedAt),
  waiting_codes: waitingCodes,
});

/**
 * Returns the fields that the item lacks, each with an error message. The result is empty if the item may be
 * published.
 */
export function findMissing(item: Omit<Item, 'id'>): Record<string, string[]> {
  const wanted: [string, boolean][] = [
    ['name', item.name !== ''],
    ['media.thumbnail', item.thumbnailUrl !== ''],
    ['media.preview_image', item.kind === 'audio' || item.previewImageUrl !== ''],
    ['media.preview_video', item.kind !== 'video' || item.previewVideoUrl !== ''],
    ['media.preview_audio', item.kind !== 'audio' || item.previewAudioUrl !== ''],
  ];
  const missing = wanted.filter(([, given]) => !given);
  return Object.fromEntries(
    missing.map(([field]) => [field, [`is needed by a published item of the kind ${item.kind}.`]]),
  );
}

/**
 * Returns the missing fields because of which a change of an item is refused. A field that was already
 * missing before the change is ignored, unless the change publishes the item. Withdrawn items are checked
 * too, because the answers of validation still contain their pictures.
 */
export function findNewlyMissing(before: Item, after: Item): Record<string, string[]> {
  if (after.state === 'draft') return {};
  const isRepublished = after.state === 'published' && before.state !== 'published';
  const known = isRepublished || before.state === 'draft' ? {} : findMissing(before);
  const missing = Object.entries(findMissing(after)).filter(([field]) => !(field in known));
  return Object.fromEntries(missing);
}
