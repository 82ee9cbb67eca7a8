// Routes that list and release activations, and set their limits. Only the panel can release an activation by
// its id.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { hashCode, parseCode } from '../purchases/code.ts';
import { findPurchaseId } from '../purchases/management/queries.ts';
import { CodeText } from '../purchases/purchase.ts';
import { IdNumber } from '../wire/input.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { refuseField } from '../wire/refusals.ts';
import { ListedActivation, presentListedActivation } from './activation.ts';
import { ActivationLimitsAnswer, SetLimitsAnswer } from './activation-limits.ts';
import { getActivationLimits, listActivations } from './queries.ts';
import { releaseOwnActivation } from './release-activation.ts';
import { setActivationLimits } from './set-activation-limits.ts';

const tag = 'Activations';

export function registerActivationManagement(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  registerList(app, policy, deps);
  registerLimits(app, policy, deps);
  if (policy.isPanel) registerRelease(app, policy, deps);
}

function registerList(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ activations: Type.Array(ListedActivation), next_cursor: NextCursor });
  const route = { scope: 'activations:read', tag, summary: 'List activations, newest first', data } as const;
  const options = managed(policy, route, {
    description: 'Filters by one purchase: by its id, or by its code in the header.',
    headers: Type.Object({
      'x-purchase-code': Type.Optional(CodeText('A whole code. A URL never contains a code.')),
    }),
    querystring: Type.Object({ ...PageQuery, purchase_id: Type.Optional(Id) }),
  });
  app.get(`${policy.prefix}/activations`, options, async (request) => {
    const { workspaceId } = policy.callerOf(request);
    const { query } = request;
    // A purchase code in the query is refused. If it were ignored, the answer would list the activations of
    // all purchases.
    if ('purchase_code' in query)
      throw refuseField('purchase_code', 'must be sent in the header X-Purchase-Code, never in a URL.');
    const code = request.headers['x-purchase-code'];
    const purchaseId = query.purchase_id === undefined ? undefined : BigInt(query.purchase_id);
    const coded = code === undefined ? undefined : await findByCode(deps, { workspaceId, code });
    if (coded !== undefined && purchaseId !== undefined && coded !== purchaseId)
      throw fail('purchase_not_found');
    const page = readPage(query);
    const filter = { workspaceId, purchaseId: coded ?? purchaseId };
    const activations = await listActivations(deps.db, filter, page);
    const next = presentNext(page, activations, (each) => [each.id]);
    return answer(request, { activations: activations.map(presentListedActivation), ...next });
  });
}

async function findByCode(
  { db, masterKey }: ManagementDeps,
  { workspaceId, code }: { workspaceId: bigint; code: string },
): Promise<bigint> {
  const parsed = parseCode(code);
  if (parsed === undefined) throw refuseField('x-purchase-code', 'is malformed.');
  const codeHash = hashCode(masterKey, parsed);
  const id = await findPurchaseId(db, { workspaceId, codeHash });
  if (id === undefined) throw fail('purchase_not_found');
  return id;
}

function registerLimits(app: App, policy: AccessPolicy, { db, now }: ManagementDeps): void {
  const show = async (request: FastifyRequest, itemId: bigint) => {
    const { workspaceId } = policy.callerOf(request);
    const { set, inForce } = await getActivationLimits(db, { workspaceId, itemId });
    return answer(request, { set, in_force: inForce });
  };
  const path = `${policy.prefix}/activation-limits`;
  const summary = 'The number of hosts per licence, for an item or the whole workspace';
  const data = ActivationLimitsAnswer;
  const reading = managed(
    policy,
    { scope: 'activations:read', tag, summary, data },
    { querystring: Type.Object({ item_id: Type.Optional(Id) }) },
  );
  app.get(path, reading, async (request) => {
    const itemId = BigInt(request.query.item_id ?? 0);
    if (itemId !== 0n) await getOwnItem(db, { ...policy.callerOf(request), itemId });
    return show(request, itemId);
  });

  const setRoute = { scope: 'items:write', tag, summary: `Set ${summary.toLowerCase()}`, data } as const;
  const setting = managed(policy, setRoute, {
    description: 'Replaces all limits. A missing limit comes from the workspace again, or from the defaults.',
    body: Type.Object({ item_id: Type.Optional(IdNumber('For one item.')), ...SetLimitsAnswer.properties }),
  });
  app.put(path, setting, async (request) => {
    const { item_id: id = 0, ...limits } = request.body;
    const itemId = BigInt(id);
    const caller = policy.callerOf(request);
    await db.transaction((tx) => setActivationLimits(tx, { caller, itemId, limits, now: now() }));
    return show(request, itemId);
  });
}

function registerRelease(app: App, policy: AccessPolicy, { db, now }: ManagementDeps): void {
  const options = managed(policy, {
    scope: 'activations:write',
    tag,
    summary: 'Release an activation by hand; no move is counted',
    data: Type.Object({ activation: ListedActivation }),
    params: { activation_id: Id },
  });
  app.post(`${policy.prefix}/activations/:activation_id/release`, options, async (request) => {
    const caller = policy.callerOf(request);
    const activationId = BigInt(request.params.activation_id);
    const release = { caller, now: now(), activationId, isMove: false };
    const activation = await db.transaction((tx) => releaseOwnActivation(tx, release));
    return answer(request, { activation: presentListedActivation(activation) });
  });
}
