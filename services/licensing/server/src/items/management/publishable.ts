// What an item must have before buyers may see it. Prices are no part of it: an item may be free.
import type { Item } from '../item.ts';

/** Field → sentences; empty means that it may be published. */
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
 * What a published item lacked already is not held against a change of something else, nor against its
 * withdrawal. A withdrawn item counts as well: the codes that were sold of it still answer with its pictures.
 */
export function findNewlyMissing(before: Item, after: Item): Record<string, string[]> {
  if (after.state === 'draft') return {};
  const isRepublished = after.state === 'published' && before.state !== 'published';
  const known = isRepublished || before.state === 'draft' ? {} : findMissing(before);
  const missing = Object.entries(findMissing(after)).filter(([field]) => !(field in known));
  return Object.fromEntries(missing);
}
