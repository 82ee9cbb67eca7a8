// Makes a buyer's download link, and finds the file that a link opens.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { VersionFile } from '../items/item-version.ts';
import { findDownload, findVersion } from '../items/management/queries.ts';
import { makeCodeId } from '../licences/licence.ts';
import { findPurchase, getPurchase } from '../purchases/management/queries.ts';
import { getPublicState } from '../purchases/purchase.ts';
import { auditPurchase, type PurchaseToChange } from '../purchases/purchase-event.ts';
import { type DownloadGrant, makeDownloadToken, readDownloadToken } from './download-token.ts';

interface Deps {
  readonly masterKey: MasterKey;
  readonly publicUrl: string;
}

/** Makes the URL of a file, which contains a signed token. The download checks the purchase again. */
export const makeDownloadUrl = ({ masterKey, publicUrl }: Deps, grant: DownloadGrant): string =>
  `${publicUrl}/downloads/${makeDownloadToken(masterKey, grant)}`;

export async function makeDownloadLink(
  tx: Tx,
  deps: Deps,
  wanted: PurchaseToChange & { version: string | undefined; lifeMs: number; codeId?: string },
): Promise<{ url: string; version: string; expiresAt: Date }> {
  const { purchaseId, version } = wanted;
  const { workspaceId } = wanted.caller;
  const found = await findFile(tx, { workspaceId, purchaseId, version });
  const expiresAt = new Date(wanted.now.getTime() + wanted.lifeMs);
  const url = makeDownloadUrl(deps, { workspaceId, purchaseId, version, expiresAt, codeId: wanted.codeId });
  const details = { version: version ?? 'newest', expires_at: expiresAt.toISOString() };
  await auditPurchase(tx, wanted, 'download_link_made', details);
  return { url, version: found.version, expiresAt };
}

async function findFile(
  db: Queryable,
  wanted: { workspaceId: bigint; purchaseId: bigint; version: string | undefined },
) {
  const purchase = await getPurchase(db, wanted);
  const { itemId } = purchase;
  const state = getPublicState(purchase);
  if (state !== 'active') throw fail('purchase_state_conflict', { data: { state } });
  const found = await findDownload(db, { ...wanted, itemId });
  if (found) return found;
  const { workspaceId, version } = wanted;
  const isKnown = version === undefined || (await findVersion(db, { workspaceId, itemId, version }));
  throw fail(isKnown ? 'file_missing' : 'version_not_found');
}

export async function findGrantedFile(
  db: Queryable,
  masterKey: MasterKey,
  { token, now }: { token: string; now: Date },
): Promise<{ grant: DownloadGrant; version: string; file: VersionFile } | undefined> {
  const grant = readDownloadToken(masterKey, token);
  if (!grant || grant.expiresAt <= now) return undefined;
  const purchase = await findPurchase(db, grant);
  if (!purchase || getPublicState(purchase) !== 'active') return undefined;
  if (grant.codeId !== undefined && grant.codeId !== makeCodeId(purchase.codeHash)) return undefined;
  const found = await findDownload(db, { ...grant, itemId: purchase.itemId });
  return found && { grant, version: found.version, file: found.file };
}
