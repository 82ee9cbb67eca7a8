// The file that a buyer of an item downloads: of the named version, else of the newest that has one.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ItemVersion, VersionFile } from '../item-version.ts';
import { selectNewestWithFile, selectVersion } from './version-store.ts';

export async function findDownload(
  db: Queryable,
  wanted: { workspaceId: bigint; itemId: bigint; version: string | undefined },
): Promise<(ItemVersion & { file: VersionFile }) | undefined> {
  const { version, ...key } = wanted;
  const found =
    version === undefined
      ? await selectNewestWithFile(db, key)
      : await selectVersion(db, { ...key, version });
  return found?.file && { ...found, file: found.file };
}
