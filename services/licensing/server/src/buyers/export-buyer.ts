// Collects everything that a workspace stores about a buyer, as one document.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { ListedActivation, presentListedActivation } from '../activations/activation.ts';
import { listActivations } from '../activations/queries.ts';
import { findItems } from '../items/queries.ts';
import {
  type ManagedPurchase,
  presentWholePurchase,
  WholePurchase,
} from '../purchases/management/managed-purchase.ts';
import { selectReissues } from '../purchases/management/queries.ts';
import { NamedObject } from '../wire/input.ts';
import { getWorkspace } from '../workspaces/queries.ts';
import { listBuyerPurchases, listSessions, type SessionAt } from './queries.ts';

const maxPurchases = 1000;
/**
 * The document lists at most this number of hosts and of replaced codes for each purchase. At most 200 hosts
 * without a seat are stored, so only licences with hundreds of seats can exceed this number of hosts.
 */
const maxPerPurchase = 1000;

export const BuyerExport = NamedObject('BuyerExport', {
  exported_at: Type.String({ description: 'The time of the export; ISO 8601, UTC.' }),
  seller: Type.String({ description: 'The name of the seller.' }),
  email: Type.String(),
  purchases: Type.Array(
    Type.Object({
      ...WholePurchase.properties,
      item_name: Type.String({ description: 'The name of the item.' }),
      downloaded_version: Type.String({ description: 'The version that was downloaded last; "" if none.' }),
      mail_stopped_at: Type.String({
        description: 'When the buyer ended the mails about support; "" if not.',
      }),
      hosts: Type.Array(ListedActivation, { description: 'Hosts and machines of the purchase.' }),
      codes_replaced_at: Type.Array(Type.String(), {
        description: 'When codes of the purchase were replaced, newest first; ISO 8601, UTC.',
      }),
    }),
    { description: `The purchases, newest first; at most ${maxPurchases}.` },
  ),
  sessions: Type.Array(Type.Object({ created_at: Type.String(), expires_at: Type.String() }), {
    description: 'The open sessions of the buyer in the buyer portal.',
  }),
});

interface Deps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

type Exported = ManagedPurchase & {
  readonly downloadedVersion?: string;
  readonly buyerUnsubscribedAt?: Date;
};

export async function exportBuyer(deps: Deps, at: SessionAt, workspaceId: bigint) {
  const { db, now } = deps;
  const { email } = at.session;
  const page = { workspaceId, limit: maxPurchases, after: [] };
  const purchases: Exported[] = await listBuyerPurchases(db, at, page);
  const itemIds = [...new Set(purchases.map(({ itemId }) => itemId))];
  const items = await findItems(db, { workspaceId, ids: itemIds, externalIds: [] });
  const names = new Map(items.map((item) => [item.id, item.name]));
  const described = [];
  for (const purchase of purchases) {
    described.push({
      ...presentWholePurchase(deps.masterKey, purchase),
      item_name: names.get(purchase.itemId) ?? '',
      downloaded_version: purchase.downloadedVersion ?? '',
      mail_stopped_at: purchase.buyerUnsubscribedAt ? presentTime(purchase.buyerUnsubscribedAt) : '',
      ...(await describeUse(db, { workspaceId, purchaseId: purchase.id })),
    });
  }
  const sessions = await listSessions(db, { email, now: now() });
  return {
    exported_at: presentTime(now()),
    seller: (await getWorkspace(db, workspaceId)).name,
    email,
    purchases: described,
    sessions: sessions.map((each) => ({
      created_at: presentTime(each.createdAt),
      expires_at: presentTime(each.expiresAt),
    })),
  };
}

async function describeUse(db: Db, of: { workspaceId: bigint; purchaseId: bigint }) {
  const hosts = await listActivations(db, of, { limit: maxPerPurchase, after: [] });
  const { workspaceId, purchaseId } = of;
  const reissued = { workspaceId, purchaseIds: [purchaseId], since: new Date(0), limit: maxPerPurchase };
  const replaced = await selectReissues(db, reissued);
  return {
    hosts: hosts.map(presentListedActivation),
    codes_replaced_at: replaced.map(({ retiredAt }) => presentTime(retiredAt)),
  };
}
