// Makes a buyer's link to the file of what they bought.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../access-policy.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { findDownload } from '../items/management/find-download.ts';
import { listVersions } from '../items/management/list-versions.ts';
import { getPurchase } from '../purchases/management/get-purchase.ts';
import { makeDownloadToken } from './download-token.ts';

export interface DownloadLink {
  readonly url: string;
  readonly version: string;
  readonly expiresAt: Date;
}

interface Deps {
  readonly masterKey: MasterKey;
  readonly publicUrl: string;
}

export async function makeDownloadLink(
  tx: Tx,
  { masterKey, publicUrl }: Deps,
  wanted: {
    caller: Caller;
    purchaseId: bigint;
    version: string | undefined;
    now: Date;
    lifeMs: number;
  },
): Promise<DownloadLink> {
  const { caller, purchaseId, version, now } = wanted;
  const { workspaceId } = caller;
  const found = await findFile(tx, { workspaceId, purchaseId, version });
  const expiresAt = new Date(now.getTime() + wanted.lifeMs);
  const token = makeDownloadToken(masterKey, { workspaceId, purchaseId, version, expiresAt });
  await recordAudit(tx, {
    workspaceId,
    at: now,
    actor: caller.actor,
    action: 'download_link_made',
    subject: { kind: 'purchase', id: String(purchaseId) },
    details: { version: version ?? 'newest', expires_at: expiresAt.toISOString() },
  });
  return { url: `${publicUrl}/downloads/${token}`, version: found.version, expiresAt };
}

async function findFile(
  db: Queryable,
  wanted: { workspaceId: bigint; purchaseId: bigint; version: string | undefined },
) {
  const { itemId, state } = await getPurchase(db, wanted);
  if (state !== 'active') throw fail('purchase_state_conflict', { data: { state } });
  const found = await findDownload(db, { ...wanted, itemId });
  if (found) return found;
  const { workspaceId, version } = wanted;
  const known = await listVersions(db, { workspaceId, itemId });
  const isKnown = version === undefined || known.some((each) => each.version === version);
  throw fail(isKnown ? 'file_missing' : 'version_not_found');
}
