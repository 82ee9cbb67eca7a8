// Uploads a file for a media field of an item. The field then contains the address of the file.
import type { Readable } from 'node:stream';
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../audit/audit-event.ts';
import { fail } from '../../errors.ts';
import { type FileDeps, recordFiles, removeFiles } from '../../files/receive-file.ts';
import type { Item } from '../item.ts';
import { changeItem } from '../management/change-item.ts';
import { getOwnItem } from '../management/queries.ts';
import type { ItemKey } from '../queries.ts';
import { lockItem } from '../store.ts';
import {
  findMediaKey,
  kindOf,
  listMediaUrls,
  type MediaField,
  type MediaFile,
  type MediaLimits,
  maxScreenshots,
  mediaFolder,
  putMediaUrl,
  refuseUnusedField,
  writeMediaUrl,
} from './media-file.ts';
import { prepareMedia } from './prepare-media.ts';
import { listMedia, measureMedia } from './queries.ts';
import { insertMedia, lockWorkspaceMedia } from './store.ts';

interface Upload {
  readonly caller: Caller;
  readonly itemId: bigint;
  readonly field: MediaField;
  readonly source: Readable;
  /** The Content-Length of the request, if it has one. */
  readonly announcedBytes: number | undefined;
  /** Whether the client has gone. */
  readonly isAborted: () => boolean;
}

interface Deps extends FileDeps {
  readonly db: Db;
  readonly publicUrl: string;
  readonly mediaLimits: MediaLimits;
  readonly now: () => Date;
}

export async function uploadMedia(deps: Deps, upload: Upload): Promise<Item> {
  const { db, mediaLimits: limits } = deps;
  const { caller, itemId, field } = upload;
  const { workspaceId } = caller;
  // These checks come before the upload is read, because it may be large.
  const item = await getOwnItem(db, { workspaceId, itemId });
  refuseUnusedField(item, field);
  const maxBytes = limits.maxBytes[kindOf(field)];
  if ((upload.announcedBytes ?? 0) > maxBytes)
    throw fail('body_too_large', { data: { max_bytes: maxBytes } });
  await refuseFull(db, { workspaceId, itemId, moreBytes: 1n }, limits);
  const folder = { ...deps, filesDir: mediaFolder(deps.filesDir, workspaceId) };
  const files = await prepareMedia(folder, { ...upload, workspaceId });
  const keys = files.map(({ key }) => key);
  const { changed, used } = await recordFiles(folder, keys, (committing) =>
    db.transaction(async (tx) => {
      const recorded = await recordMedia(tx, deps, { ...upload, files });
      committing();
      return recorded;
    }),
  );
  await removeFiles(
    folder,
    keys.filter((key) => !used.includes(key)),
  );
  return changed;
}

/** Puts the files into the fields of the item. Returns the keys of the files that the item now uses. */
async function recordMedia(
  tx: Tx,
  deps: Deps,
  {
    caller,
    itemId,
    field,
    files,
  }: Pick<Upload, 'caller' | 'itemId' | 'field'> & { files: readonly MediaFile[] },
): Promise<{ changed: Item; used: string[] }> {
  const { workspaceId } = caller;
  const key = { workspaceId, itemId };
  const now = deps.now();
  await lockWorkspaceMedia(tx, workspaceId);
  const before = await lockItem(tx, key);
  if (!before) throw fail('item_not_found');
  const stored = await listMedia(tx, key);
  if (isRepeated(before, stored, files)) return { changed: before, used: [] };
  refuseManyScreenshots(before, field);
  const used = files.filter((file) => !file.isGenerated || mayReplaceThumbnail(before, stored));
  const put = (item: Item) =>
    used.reduce(
      (result, file) =>
        putMediaUrl(result, file.field, writeMediaUrl(deps.publicUrl, { workspaceId, ...file })),
      item,
    );
  const [{ type, bytes, sha256 }] = used as [MediaFile];
  const details = { field, type, bytes: Number(bytes), sha256: sha256.toString('hex') };
  const changed = await changeItem(tx, { caller, itemId, now }, (item) => ({
    item: put(item),
    action: 'item_media_uploaded',
    details,
  }));
  for (const file of used) await insertMedia(tx, { ...key, file, at: now });
  await refuseFull(tx, { ...key, moreBytes: 0n }, deps.mediaLimits);
  return { changed, used: used.map((file) => file.key) };
}

/** Whether the field already contains this upload. A client that repeats an upload then changes nothing. */
function isRepeated(item: Item, stored: readonly MediaFile[], [given]: readonly MediaFile[]): boolean {
  const inUse = listMediaUrls(item).map((url) => findMediaKey(item.workspaceId, url));
  return stored.some(
    ({ key, field, sourceSha256, isGenerated }) =>
      !isGenerated &&
      field === given?.field &&
      sourceSha256.equals(given.sourceSha256) &&
      inUse.includes(key),
  );
}

/** A thumbnail that the seller has chosen is never replaced by a generated one. */
function mayReplaceThumbnail({ workspaceId, thumbnailUrl }: Item, stored: readonly MediaFile[]): boolean {
  const current = findMediaKey(workspaceId, thumbnailUrl);
  return thumbnailUrl === '' || stored.some(({ key, isGenerated }) => isGenerated && key === current);
}

function refuseManyScreenshots(item: Item, field: MediaField): void {
  if (field === 'screenshots' && item.screenshotUrls.length >= maxScreenshots)
    throw fail('media_limit_reached', { data: { of: 'screenshots', max: maxScreenshots } });
}

async function refuseFull(
  db: Queryable,
  { moreBytes, ...key }: ItemKey & { moreBytes: bigint },
  { maxItemBytes, maxWorkspaceBytes }: MediaLimits,
): Promise<void> {
  const { itemBytes, workspaceBytes } = await measureMedia(db, key);
  if (itemBytes + moreBytes > maxItemBytes)
    throw fail('media_limit_reached', { data: { of: 'item', max_bytes: maxItemBytes } });
  if (workspaceBytes + moreBytes > maxWorkspaceBytes)
    throw fail('media_limit_reached', { data: { of: 'workspace', max_bytes: maxWorkspaceBytes } });
}
