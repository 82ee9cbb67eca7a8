// Stops serving uploaded files that an item no longer uses, and refuses addresses of files that do not exist.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { refuseField } from '../../wire/refusals.ts';
import type { Item } from '../item.ts';
import { findMediaKey, listMediaUrls } from './media-file.ts';
import { listMedia } from './queries.ts';
import { saveRemoved } from './store.ts';

const listKeys = (item: Item): string[] =>
  listMediaUrls(item).flatMap((url) => findMediaKey(item.workspaceId, url) ?? []);

/**
 * Call this function in the transaction that changes the item. The files stay on the disk until the next
 * sweep, so that a rollback loses nothing.
 */
export async function releaseMedia(
  tx: Tx,
  given: { caller: Caller; before: Item; after: Item; now: Date },
): Promise<void> {
  const { caller, before, after, now: at } = given;
  const kept = listKeys(after);
  if (listKeys(before).every((key) => kept.includes(key))) return;
  const { workspaceId } = caller;
  const removed = await saveRemoved(tx, { workspaceId, itemId: after.id, kept, at });
  if (removed.length === 0) return;
  const files = removed.map(({ field, type, bytes, sha256 }) => ({
    field,
    type,
    bytes: Number(bytes),
    sha256: sha256.toString('hex'),
  }));
  const subject = { kind: 'item', id: String(after.id) };
  await recordAudit(tx, { ...caller, at, action: 'item_media_removed', subject, details: { files } });
}

/**
 * Whether this service may serve media under this address, however the address is written. The protocol is
 * not compared, because a proxy may lead from `http` to `https`.
 */
function isServed(publicUrl: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const base = new URL(`${publicUrl}/media/`);
  const { host, pathname } = new URL(url);
  return host === base.host && decodePath(pathname).startsWith(base.pathname);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Refuses a new address of this service that is not the address of an upload of this item. A file of another
 * item or workspace gets the same answer as a file that does not exist.
 */
export async function refuseForeignMedia(
  tx: Tx,
  { publicUrl, before, after }: { publicUrl: string; before: Item; after: Item },
): Promise<void> {
  const known = listMediaUrls(before);
  const added = listMediaUrls(after).filter((url) => isServed(publicUrl, url) && !known.includes(url));
  if (added.length === 0) return;
  const { workspaceId, id: itemId } = after;
  const own = (await listMedia(tx, { workspaceId, itemId })).map(({ key }) => key);
  const isOwn = (url: string) => own.includes(findMediaKey(workspaceId, url) ?? '');
  if (!added.every(isOwn)) throw refuseField('media', 'contains an address of a file that does not exist.');
}
