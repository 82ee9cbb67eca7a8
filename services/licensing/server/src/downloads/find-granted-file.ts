// What a download link opens now; one and the same nothing for whatever is wrong with it.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { VersionFile } from '../items/item-version.ts';
import { findDownload } from '../items/management/find-download.ts';
import { findPurchase } from '../purchases/management/get-purchase.ts';
import { type DownloadGrant, readDownloadToken } from './download-token.ts';

export async function findGrantedFile(
  db: Queryable,
  masterKey: MasterKey,
  { token, now }: { token: string; now: Date },
): Promise<{ grant: DownloadGrant; file: VersionFile } | undefined> {
  const grant = readDownloadToken(masterKey, token);
  if (!grant || grant.expiresAt <= now) return undefined;
  const purchase = await findPurchase(db, grant);
  if (purchase?.state !== 'active') return undefined;
  const found = await findDownload(db, { ...grant, itemId: purchase.itemId });
  return found && { grant, file: found.file };
}
