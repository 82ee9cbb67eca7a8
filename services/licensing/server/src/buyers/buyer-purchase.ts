// A purchase as its buyer sees it in the buyer portal: code, support, hosts and versions.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { ActivationAnswer, presentActivation } from '../activations/activation.ts';
import { getActivationLimits, listActivations, selectOccupancy } from '../activations/queries.ts';
import { channels } from '../items/item-version.ts';
import { listReleases } from '../items/management/queries.ts';
import { findItem } from '../items/queries.ts';
import { unsealCode } from '../purchases/code.ts';
import {
  ListedPurchase,
  type ManagedPurchase,
  presentListedPurchase,
} from '../purchases/management/managed-purchase.ts';
import { getPublicState } from '../purchases/purchase.ts';
import { type EntitlementDeps, findEntitlement, mayDownload } from '../updates/entitlement.ts';
import { NamedObject } from '../wire/input.ts';
import { findReissuesLeft } from './replace-leaked-code.ts';

/** The portal shows at most this number of hosts of one purchase, the newest first. */
const maxHosts = 100;

const { id, code_hint, item_id, license_type, price, currency, state, supported_until, downloaded, date } =
  ListedPurchase.properties;

export const BuyerListedPurchase = NamedObject('BuyerListedPurchase', {
  ...{ id, code_hint, item_id, license_type, price, currency, state, supported_until, downloaded, date },
  item_name: Type.String({ description: 'The name of the item.' }),
});

export function presentForBuyer(purchase: ManagedPurchase, itemName: string) {
  const {
    buyer: _buyer,
    created_at: _created,
    updated_at: _updated,
    downloaded_at: _downloadedAt,
    blocked_at: _blockedAt,
    ...shown
  } = presentListedPurchase(purchase);
  return { ...shown, state: getPublicState(purchase), item_name: itemName };
}

export const BuyerPurchase = NamedObject('BuyerPurchase', {
  ...BuyerListedPurchase.properties,
  purchase_code: Type.String({ description: 'The whole code.' }),
  hosts: Type.Array(ActivationAnswer, {
    description: `Hosts and machines that use or used the purchase, newest first; at most ${maxHosts}.`,
  }),
  hosts_used: Type.Integer({ description: 'The number of seats in use.' }),
  host_limit: Type.Integer({ description: 'The number of seats of the licence; 0 means 10,000.' }),
  versions: Type.Array(
    NamedObject('BuyerVersion', {
      version: Type.String(),
      channel: Type.Enum([...channels], { description: 'The channel of the version.' }),
      notes: Type.String(),
      date: Type.String({ description: 'When the version was added; ISO 8601, UTC.' }),
      size: Type.Integer({ description: 'The size of the file in bytes.' }),
      can_download: Type.Boolean({ description: 'Whether the purchase includes the version.' }),
    }),
    { description: 'The versions that have a file, newest first.' },
  ),
  updates_until: Type.String({
    description: 'The purchase includes versions that were added until then; "" if there is no limit.',
  }),
  downloaded_version: Type.String({ description: 'The version that was downloaded last; "" if none.' }),
  reissues_left: Type.Integer({ description: 'How often the buyer may replace the code at the moment.' }),
});

export interface BuyerPurchaseDeps extends Pick<EntitlementDeps, 'sellers' | 'now'> {
  readonly db: Db;
  readonly masterKey: MasterKey;
}

/** The updates that the purchase includes, or the reason why it includes none. */
export const findUpdates = (deps: BuyerPurchaseDeps, purchase: ManagedPurchase) =>
  findEntitlement(deps, purchase.workspaceId, purchase);

export async function describeForBuyer(
  deps: BuyerPurchaseDeps,
  purchase: ManagedPurchase & { readonly downloadedVersion?: string },
) {
  const { db, masterKey, now } = deps;
  const { workspaceId, itemId, id: purchaseId } = purchase;
  const key = { workspaceId, itemId };
  const of = { workspaceId, purchaseId };
  const item = await findItem(db, key);
  const hosts = await listActivations(db, of, { limit: maxHosts, after: [] });
  const { inForce } = await getActivationLimits(db, key);
  const { used } = await selectOccupancy(db, { ...of, since: now() });
  const found = getPublicState(purchase) === 'active' ? await findUpdates(deps, purchase) : undefined;
  const updates = typeof found === 'object' ? found : undefined;
  const releases = await listReleases(db, key);
  const { left } = await findReissuesLeft(db, of, now());
  return {
    ...presentForBuyer(purchase, item?.name ?? ''),
    purchase_code: unsealCode(masterKey, purchase.codeSealed, purchase.codeHash),
    hosts: hosts.map(presentActivation),
    hosts_used: used,
    host_limit: purchase.licenseType === 'Extended' ? inForce.extended : inForce.regular,
    versions: releases.map((each) => ({
      version: each.version,
      channel: each.channel,
      notes: each.notes,
      date: presentTime(each.createdAt),
      size: Number(each.file.bytes),
      can_download: updates !== undefined && mayDownload(updates, each),
    })),
    updates_until: updates?.updatesUntil ? presentTime(updates.updatesUntil) : '',
    downloaded_version: purchase.downloadedVersion ?? '',
    reissues_left: left,
  };
}
