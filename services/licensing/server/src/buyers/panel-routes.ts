// Routes of the buyer portal: a signed-in buyer's purchases, hosts, downloads, codes and data.
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ActivationAnswer, presentActivation } from '../activations/activation.ts';
import { releaseActivation } from '../activations/release-activation.ts';
import { makeDownloadLink } from '../downloads/make-download-link.ts';
import { fail } from '../errors.ts';
import { Version } from '../items/item-version.ts';
import { findVersion } from '../items/management/queries.ts';
import { findItems } from '../items/queries.ts';
import { mayDownload } from '../updates/entitlement.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { refuseTooMany } from '../wire/refusals.ts';
import {
  BuyerListedPurchase,
  BuyerPurchase,
  type BuyerPurchaseDeps,
  describeForBuyer,
  findUpdates,
  presentForBuyer,
} from './buyer-purchase.ts';
import { buyerSecurity, getBuyer, getSellerId, getSessionAt, requireBuyer } from './buyer-session.ts';
import { BuyerExport, exportBuyer } from './export-buyer.ts';
import { getBuyerPurchase, listBuyerPurchases } from './queries.ts';
import { reissueLimit, replaceLeakedCode } from './replace-leaked-code.ts';
import { portalPrefix, portalRoute, registerBuyerSessionRoutes } from './session-routes.ts';
import type { SignInDeps } from './sign-in-buyer.ts';
import { registerUnsubscribe } from './unsubscribe-routes.ts';

export interface PortalDeps extends SignInDeps, BuyerPurchaseDeps {
  readonly publicUrl: string;
  readonly downloadLinkHours: number;
  /** Limits the changes, downloads and exports of each session. */
  readonly changes: Throttle;
}

const hourMs = 3_600_000;
const sellerPath = `${portalPrefix}/sellers/:seller_id`;
const purchasePath = `${sellerPath}/purchases/:purchase_id`;
const ofSeller = { seller_id: Id };
const ofPurchase = { ...ofSeller, purchase_id: Id };

export function registerBuyerPortal(app: App, deps: PortalDeps): void {
  registerBuyerSessionRoutes(app, deps);
  registerUnsubscribe(app, deps);
  registerReads(app, deps);
  registerRelease(app, deps);
  registerReplacement(app, deps);
  registerDownloads(app, deps);
  registerExport(app, deps);
}

const guarded = <Data extends TSchema>(summary: string, data: Data) => ({
  ...portalRoute(summary, data),
  security: buyerSecurity,
});

const keyOf = (request: FastifyRequest) => ({
  workspaceId: getSellerId(request),
  purchaseId: BigInt((request.params as { purchase_id: string }).purchase_id),
});

/** The purchase to change. The audit log names the buyer as the actor, and stores no IP address. */
const targetOf = (request: FastifyRequest, { now }: PortalDeps) => {
  const { workspaceId, purchaseId } = keyOf(request);
  return { caller: { workspaceId, actor: { isBuyer: true } }, purchaseId, now: now() };
};

function countChange(request: FastifyRequest, { changes }: PortalDeps): void {
  const counted = changes.fail(getBuyer(request).tokenHash.toString('base64'));
  if (counted.limited) throw refuseTooMany('buyer-changes', changes, counted);
}

function registerReads(app: App, deps: PortalDeps): void {
  const { db } = deps;
  const onRequest = requireBuyer(deps);
  const data = Type.Object({ purchases: Type.Array(BuyerListedPurchase), next_cursor: NextCursor });
  const listing = {
    ...guarded('List the purchases from a seller, newest first', data),
    params: Type.Object(ofSeller),
    querystring: Type.Object(PageQuery),
  };
  app.get(`${sellerPath}/purchases`, { schema: listing, onRequest }, async (request) => {
    const workspaceId = getSellerId(request);
    const page = readPage(request.query);
    const purchases = await listBuyerPurchases(db, getSessionAt(request, deps), { ...page, workspaceId });
    const ids = [...new Set(purchases.map(({ itemId }) => itemId))];
    const items = await findItems(db, { workspaceId, ids, externalIds: [] });
    const names = new Map(items.map(({ id, name }) => [id, name]));
    return answer(request, {
      purchases: purchases.map((each) => presentForBuyer(each, names.get(each.itemId) ?? '')),
      ...presentNext(page, purchases, ({ id }) => [id]),
    });
  });

  const reading = {
    ...guarded('Read a purchase with its code, hosts and versions', Type.Object({ purchase: BuyerPurchase })),
    description: 'A purchase of another buyer is answered like a missing purchase.',
    params: Type.Object(ofPurchase),
  };
  app.get(purchasePath, { schema: reading, onRequest }, async (request) => {
    const purchase = await getBuyerPurchase(db, getSessionAt(request, deps), keyOf(request));
    return answer(request, { purchase: await describeForBuyer(deps, purchase) });
  });
}

function registerRelease(app: App, deps: PortalDeps): void {
  const schema = {
    ...guarded('Release a host of a purchase', Type.Object({ activation: ActivationAnswer })),
    description: 'Counts as a move of the licence, as a release by the software does.',
    params: Type.Object({ ...ofPurchase, activation_id: Id }),
  };
  const path = `${purchasePath}/activations/:activation_id/release`;
  app.post(path, { schema, onRequest: requireBuyer(deps) }, async (request) => {
    const target = targetOf(request, deps);
    const { activation_id: id } = request.params as { activation_id: string };
    countChange(request, deps);
    const activation = await deps.db.transaction(async (tx) => {
      await getBuyerPurchase(tx, getSessionAt(request, deps), keyOf(request));
      const release = { ...target, target: BigInt(id), isMove: true };
      return await releaseActivation(tx, deps.masterKey, release);
    });
    return answer(request, { activation: presentActivation(activation) });
  });
}

function registerReplacement(app: App, deps: PortalDeps): void {
  const { count, days } = reissueLimit;
  const schema = {
    ...guarded('Replace a leaked code', Type.Object({ purchase: BuyerPurchase })),
    description:
      'The old code is refused at once, and the seller gets an event and a mail. ' +
      `A code can be replaced ${count} times in ${days} days.`,
    params: Type.Object(ofPurchase),
  };
  app.post(`${purchasePath}/reissue`, { schema, onRequest: requireBuyer(deps) }, async (request) => {
    const target = { ...targetOf(request, deps), buyer: getBuyer(request) };
    countChange(request, deps);
    const purchase = await deps.db.transaction((tx) => replaceLeakedCode(tx, deps, target));
    return answer(request, { purchase: await describeForBuyer(deps, purchase) });
  });
}

function registerDownloads(app: App, deps: PortalDeps): void {
  const { db } = deps;
  const data = Type.Object({
    url: Type.String({ description: 'Everybody who has the URL can download the file until it expires.' }),
    version: Type.String(),
    expires_at: Type.String(),
  });
  const schema = {
    ...guarded('Make a download link', data),
    description: 'A version that the purchase does not include is answered like a missing version.',
    params: Type.Object(ofPurchase),
    body: Type.Object({ version: Version }),
  };
  app.post(`${purchasePath}/download-links`, { schema, onRequest: requireBuyer(deps) }, async (request) => {
    const target = targetOf(request, deps);
    const { version } = request.body;
    countChange(request, deps);
    const purchase = await getBuyerPurchase(db, getSessionAt(request, deps), keyOf(request));
    const updates = await findUpdates(deps, purchase);
    if (typeof updates === 'string') throw fail(updates);
    const found = await findVersion(db, { ...updates, version });
    if (!found || !mayDownload(updates, found)) throw fail('version_not_found');
    // The link ends when the purchase gets a new code.
    const { codeId } = updates;
    const wanted = { ...target, version, codeId, lifeMs: deps.downloadLinkHours * hourMs };
    const { expiresAt, ...link } = await db.transaction((tx) => makeDownloadLink(tx, deps, wanted));
    return answer(request, { ...link, expires_at: presentTime(expiresAt) });
  });
}

function registerExport(app: App, deps: PortalDeps): void {
  const schema = {
    ...guarded('Export the data of the buyer', BuyerExport),
    description:
      'The data that the workspace stores about the buyer, as one JSON document: at most 1000 ' +
      'purchases, with at most 1000 hosts each.',
    params: Type.Object(ofSeller),
  };
  app.get(`${sellerPath}/export`, { schema, onRequest: requireBuyer(deps) }, async (request) => {
    const workspaceId = getSellerId(request);
    countChange(request, deps);
    return answer(request, await exportBuyer(deps, getSessionAt(request, deps), workspaceId));
  });
}
