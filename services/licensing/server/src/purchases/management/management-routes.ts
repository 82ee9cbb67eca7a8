// Routes that issue, list, read and change purchases, for programs with a key and for people with a session.
import { parseEmail } from '@counterfoil/identity/members/person';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { Id } from '@counterfoil/kit/http/parameters';
import { mailForm, PrintableText } from '@counterfoil/kit/http/text';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../../access-policy.ts';
import { normaliseHost } from '../../wire/host.ts';
import { Moment, momentRule, parseMoment } from '../../wire/input.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../../wire/paging.ts';
import { refuseField, refuseFields } from '../../wire/refusals.ts';
import { hashCode, parseCode } from '../code.ts';
import { CodeText, purchaseStates } from '../purchase.ts';
import { blockPurchase, unblockPurchase } from './block-purchase.ts';
import {
  cancelPurchase,
  disputePurchase,
  extendSupport,
  refundPurchase,
  winDispute,
} from './change-purchase.ts';
import { correctBuyer } from './correct-buyer.ts';
import { recordSale } from './issue-purchase.ts';
import {
  ListedPurchase,
  presentListedPurchase,
  presentWholePurchase,
  WholePurchase,
} from './managed-purchase.ts';
import { BuyerInput, IdempotencyHeaders, NewPurchaseInput } from './purchase-input.ts';
import { getPurchase, listPurchases } from './queries.ts';
import { reissuePurchase } from './reissue-purchase.ts';

const common = { scope: 'purchases:write', tag: 'Purchases (management)' } as const;
const settledLater = {
  state: 'is active for a new sale; POST …/refund, …/cancel and …/dispute change it.',
  downloaded: "is set by the buyer's first download.",
};
const onePurchase = { ...common, data: Type.Object({ purchase: WholePurchase }) };

/** The options that are common to the routes that read or change one purchase and return it. */
const ofPurchase = { ...onePurchase, params: { purchase_id: Id } };

export function registerPurchaseManagement(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  registerIssue(app, policy, deps);
  registerList(app, policy, deps);
  registerRead(app, policy, deps);
  registerStates(app, policy, deps);
  registerSupport(app, policy, deps);
  registerReissue(app, policy, deps);
  registerBuyerCorrection(app, policy, deps);
}

const targetOf = (policy: AccessPolicy, deps: ManagementDeps, request: FastifyRequest) => ({
  caller: policy.callerOf(request),
  purchaseId: BigInt((request.params as { purchase_id: string }).purchase_id),
  now: deps.now(),
});

function registerIssue(app: App, policy: AccessPolicy, { db, masterKey, now }: ManagementDeps): void {
  const route = { ...onePurchase, summary: 'Record a sale and issue its code' };
  const issuing = managed(policy, route, {
    description:
      'Safe to repeat with the same `Idempotency-Key`, or with a code of your own: ' +
      'the same content returns the same purchase, other content is answered with 409.',
    headers: IdempotencyHeaders(),
    body: NewPurchaseInput,
  });
  const options = { ...issuing, preValidation: refuseFields(settledLater) };
  app.post(`${policy.prefix}/purchases`, options, async (request) => {
    const caller = policy.callerOf(request);
    const { body: input, headers } = request;
    const idempotencyKey = headers['idempotency-key'];
    const sale = { caller, input, itemId: BigInt(input.item_id), idempotencyKey, now };
    const purchase = await db.transaction((tx) => recordSale(tx, masterKey, sale));
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}

function registerList(app: App, policy: AccessPolicy, { db, masterKey }: ManagementDeps): void {
  const data = Type.Object({ purchases: Type.Array(ListedPurchase), next_cursor: NextCursor });
  const route = { ...common, summary: 'List or search purchases, newest first', data };
  const options = managed(policy, route, {
    querystring: Type.Object({
      ...PageQuery,
      purchase_code: Type.Optional(CodeText('The whole code.')),
      buyer_email: Type.Optional(shownAs(Type.String({ maxLength: 254 }), mailForm(254))),
      buyer_name: Type.Optional(
        PrintableText({ min: 1, max: 100, description: 'The beginning of the name in upper or lower case.' }),
      ),
      item_id: Type.Optional(Id),
      state: Type.Optional(Type.Enum([...purchaseStates])),
      host: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description:
            'A host or a URL. Finds the purchases that are or were activated on exactly this host. Scheme, ' +
            '`www.`, port, path and letter case do not matter.',
          examples: ['shop.example'],
        }),
      ),
    }),
  });
  app.get(`${policy.prefix}/purchases`, options, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const { query } = request;
    const code = readOptional('purchase_code', query.purchase_code, parseCode);
    const filter = {
      workspaceId,
      codeHash: code === undefined ? undefined : hashCode(masterKey, code),
      buyerEmail: readOptional('buyer_email', query.buyer_email, parseEmail),
      buyerName: query.buyer_name,
      itemId: readOptional('item_id', query.item_id, BigInt),
      state: query.state,
      host: readOptional('host', query.host, normaliseHost),
    };
    const page = readPage(query);
    const purchases = await listPurchases(db, filter, page);
    const next = presentNext(page, purchases, (purchase) => [purchase.id]);
    return answer(request, { purchases: purchases.map(presentListedPurchase), ...next });
  });
}

function readOptional<T>(
  field: string,
  text: string | undefined,
  parse: (text: string) => T | undefined,
): T | undefined {
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw refuseField(field, 'is malformed.');
  return value;
}

function registerRead(app: App, policy: AccessPolicy, { db, masterKey }: ManagementDeps): void {
  const options = managed(policy, { ...ofPurchase, summary: 'Read a purchase with its code' });
  app.get(`${policy.prefix}/purchases/:purchase_id`, options, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const purchaseId = BigInt(request.params.purchase_id);
    const purchase = await getPurchase(db, { workspaceId, purchaseId });
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}

function registerStates(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const verbs = [
    { path: 'refund', verb: refundPurchase, summary: 'Refund a purchase; this is final' },
    { path: 'cancel', verb: cancelPurchase, summary: 'Cancel a purchase; this is final' },
    { path: 'dispute', verb: disputePurchase, summary: 'Open a dispute' },
    { path: 'block', verb: blockPurchase, summary: 'Block a purchase whose code is abused' },
    { path: 'unblock', verb: unblockPurchase, summary: 'Remove the block of a purchase' },
    { path: 'dispute-won', verb: winDispute, summary: 'Win a dispute: the purchase is active again' },
  ];
  for (const { path, verb, summary } of verbs) {
    const options = managed(policy, { ...ofPurchase, summary });
    app.post(`${policy.prefix}/purchases/:purchase_id/${path}`, options, async (request) => {
      const target = targetOf(policy, deps, request);
      const purchase = await deps.db.transaction((tx) => verb(tx, target));
      return answer(request, { purchase: presentWholePurchase(deps.masterKey, purchase) });
    });
  }
}

function registerSupport(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const route = { ...ofPurchase, summary: 'Extend the support' };
  const options = managed(policy, route, { body: Type.Object({ supported_until: Moment }) });
  app.post(`${policy.prefix}/purchases/:purchase_id/support`, options, async (request) => {
    const target = targetOf(policy, deps, request);
    const until = parseMoment(request.body.supported_until);
    if (!until) throw refuseField('supported_until', momentRule);
    const purchase = await deps.db.transaction((tx) => extendSupport(tx, target, until));
    return answer(request, { purchase: presentWholePurchase(deps.masterKey, purchase) });
  });
}

function registerReissue(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const { db, masterKey } = deps;
  const route = { ...ofPurchase, summary: 'Replace the code with a new one' };
  const options = managed(policy, route, {
    description:
      'For a code that leaked. The old code stops validating at once, is answered like an unknown one, ' +
      'and is never issued again. Activations stay. Safe to repeat with the same `Idempotency-Key`.',
    headers: IdempotencyHeaders(
      'Your own name for this request. Requests with the same name replace the code once.',
    ),
  });
  app.post(`${policy.prefix}/purchases/:purchase_id/reissue`, options, async (request) => {
    const target = targetOf(policy, deps, request);
    const idempotencyKey = request.headers['idempotency-key'];
    const purchase = await db.transaction((tx) => reissuePurchase(tx, masterKey, target, idempotencyKey));
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}

function registerBuyerCorrection(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const { db, masterKey } = deps;
  const route = { ...ofPurchase, summary: "Correct the buyer's name and e-mail" };
  const options = managed(policy, route, {
    description: 'A missing field stays unchanged. An empty text removes the value.',
    body: Type.Object({ buyer: BuyerInput }),
  });
  app.patch(`${policy.prefix}/purchases/:purchase_id`, options, async (request) => {
    const target = targetOf(policy, deps, request);
    const { buyer } = request.body;
    const purchase = await db.transaction((tx) => correctBuyer(tx, target, buyer));
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}
