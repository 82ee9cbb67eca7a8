// POST /v1/licenses/validate, …/activate and …/deactivate, in the format of Lemon Squeezy's License API.
import { presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { activatePurchase } from '../activations/activate-purchase.ts';
import { type Activation, readTarget } from '../activations/activation.ts';
import { findPurchase } from '../activations/activation-request.ts';
import { findActivation, getActivationLimits, selectOccupancy } from '../activations/queries.ts';
import { releaseActivation } from '../activations/release-activation.ts';
import { fail } from '../errors.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { normaliseHost } from '../wire/host.ts';
import { refuseField } from '../wire/refusals.ts';
import {
  base,
  bodyGuards,
  getTerm,
  KeyInPath,
  parseItem,
  refuseAs,
  type SoughtPurchase,
  seekPurchase,
  type ToVendor,
  VendorAnswer,
  type VendorDeps,
} from './vendor-request.ts';

const InstanceId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'The id of the instance, which is the id of the activation. Any other text is an unknown id.',
});

export function registerLemonSqueezy(app: App, deps: VendorDeps): void {
  registerValidate(app, deps);
  registerActivate(app, deps);
  registerDeactivate(app, deps);
}

type Verb = 'validate' | 'activate' | 'deactivate';
const flags = { validate: 'valid', activate: 'activated', deactivate: 'deactivated' } as const;

const describe = (verb: Verb, description: string) => ({
  tags: ['Vendor clients'],
  summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} a licence key, as a client of Lemon Squeezy`,
  description: `${description} The body may be JSON or a form.`,
  params: KeyInPath,
  consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  response: { 200: VendorAnswer, '4xx': ErrorAnswer },
});

const hooksOf = (deps: VendorDeps, verb: Verb, names: readonly string[]) => {
  const scope = verb === 'validate' ? 'purchases:validate' : 'activations:write';
  const guards = bodyGuards(deps, { vendor: 'lemon_squeezy', scope, names: ['license_key', ...names] });
  return { ...guards, onSend: refuseAs(toLemonSqueezy(verb)) };
};

function registerValidate(app: App, deps: VendorDeps): void {
  const schema = {
    ...describe('validate', 'Counts as a validation.'),
    body: Type.Object({ license_key: CodeInput, instance_id: Type.Optional(InstanceId) }),
  };
  const route = { schema, ...hooksOf(deps, 'validate', ['instance_id']) };
  app.post(`${base}/v1/licenses/validate`, route, async (request) => {
    const { license_key: code, instance_id: id } = request.body;
    const sought = await seekPurchase(deps, request, { field: 'license_key', code });
    const { purchase } = sought;
    const known = await presentKnown(deps, request, sought);
    refuseEnded(sought, known);
    if (id === undefined) return { valid: true, error: null, ...known };
    const instance = presentInstance(await getInstance(deps, request, { purchase, id }));
    return { valid: true, error: null, ...known, instance };
  });
}

/**
 * Returns the activation with this id. Throws unless the activation occupies a seat of the purchase. `id` may
 * be an id of Lemon Squeezy, because clients may have stored such an id earlier.
 */
async function getInstance(
  { db }: VendorDeps,
  { apiKey: { workspaceId } }: FastifyRequest,
  { purchase, id }: { purchase: { readonly id: bigint }; id: string },
): Promise<Activation> {
  const isNumber = /^[1-9][0-9]{0,17}$/.test(id);
  const activation = isNumber && (await findActivation(db, { workspaceId, activationId: BigInt(id) }));
  if (!activation || activation.purchaseId !== purchase.id || activation.releasedAt)
    throw fail('activation_not_found');
  return activation;
}

function registerActivate(app: App, deps: VendorDeps): void {
  const schema = {
    ...describe('activate', 'An `instance_name` that is a host name occupies the seat of this host.'),
    body: Type.Object({
      license_key: CodeInput,
      instance_name: Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The host or machine. The same name gets the same instance.',
      }),
    }),
  };
  const route = { schema, ...hooksOf(deps, 'activate', ['instance_name']) };
  app.post(`${base}/v1/licenses/activate`, route, async (request) => {
    const { license_key: code, instance_name: name } = request.body;
    const target = readInstanceName(name);
    const { purchase, caller, onChange, ...sought } = await findPurchase(deps, request, {
      purchase_code: code,
    });
    refuseEnded({ purchase }, await presentKnown(deps, request, { purchase, ...sought }));
    const wanted = { caller, purchaseId: purchase.id, target, now: deps.now(), onChange };
    const { activation } = await activatePurchase(deps, wanted);
    const known = await presentKnown(deps, request, { purchase, ...sought });
    return { activated: true, error: null, ...known, instance: presentInstance(activation) };
  });
}

function registerDeactivate(app: App, deps: VendorDeps): void {
  const schema = {
    ...describe('deactivate', 'Releases the seat of an instance.'),
    body: Type.Object({ license_key: CodeInput, instance_id: InstanceId }),
  };
  const route = { schema, ...hooksOf(deps, 'deactivate', ['instance_id']) };
  app.post(`${base}/v1/licenses/deactivate`, route, async (request) => {
    const { license_key: code, instance_id: id } = request.body;
    const { purchase, caller, onChange, ...sought } = await findPurchase(deps, request, {
      purchase_code: code,
    });
    const { id: target } = await getInstance(deps, request, { purchase, id });
    const release = { caller, now: deps.now(), isMove: true, onChange, target };
    await deps.db.transaction((tx) =>
      releaseActivation(tx, deps.masterKey, { ...release, purchaseId: purchase.id }),
    );
    const { instance, ...known } = await presentKnown(deps, request, { purchase, ...sought });
    return { deactivated: true, error: null, ...known };
  });
}

/**
 * Reads a name with a dot or a colon as a host, and any other name as a machine. A host that needs no seat is
 * read as a machine too, because computers have names such as `office.local`.
 */
function readInstanceName(name: string) {
  const isHost = /[.:]/.test(name) && normaliseHost(name) !== undefined;
  const host = isHost ? readTarget({ domain: name }) : undefined;
  if (host?.counts) return host;
  try {
    return readTarget({ machine_id: name });
  } catch {
    throw refuseField('instance_name', 'must have 1 to 128 printable characters.');
  }
}

const presentInstance = (activation: Activation) => ({
  id: String(activation.id),
  name: activation.target ?? '',
  created_at: activation.createdAt.toISOString(),
});

/** Refuses a purchase that is no longer active, and a licence whose grace period is over. */
function refuseEnded(
  { purchase: { state } }: Pick<SoughtPurchase, 'purchase'>,
  { license_key: { status } }: Awaited<ReturnType<typeof presentKnown>>,
): void {
  if (state !== 'active') throw fail(`purchase_${state}`);
  if (status === 'expired') throw fail('licence_ended');
}

/**
 * Stores the licence key and the product that were found for a request. If an error occurs later in the same
 * request, the error contains both.
 */
const knownByRequest = new WeakMap<FastifyRequest, object>();

async function presentKnown(deps: VendorDeps, request: FastifyRequest, sought: SoughtPurchase) {
  const { purchase, itemText, code } = sought;
  const { workspaceId, isTest } = request.apiKey;
  const { inForce } = await getActivationLimits(deps.db, { workspaceId, itemId: purchase.itemId });
  const limit = purchase.licenseType === 'Extended' ? inForce.extended : inForce.regular;
  const of = { workspaceId, purchaseId: purchase.id, since: deps.now() };
  const { used } = await selectOccupancy(deps.db, of);
  const { endsAt, isExpired } = await getTerm(deps, request, purchase);
  const active = used > 0 ? 'active' : 'inactive';
  const live = isExpired ? 'expired' : active;
  const id = Number(purchase.id);
  const itemId = Number(purchase.itemId);
  const known = {
    license_key: {
      id,
      status: purchase.state === 'active' ? live : 'disabled',
      key: code,
      activation_limit: limit || null,
      activation_usage: used,
      created_at: purchase.purchasedAt,
      expires_at: endsAt ? presentTime(endsAt) : null,
      test_mode: isTest,
    },
    instance: null,
    meta: {
      store_id: Number(workspaceId),
      order_id: id,
      order_item_id: id,
      product_id: itemId,
      product_name: parseItem(itemText).name,
      variant_id: itemId,
      variant_name: purchase.licenseType,
      customer_id: id,
      customer_name: '',
      customer_email: '',
    },
  };
  knownByRequest.set(request, known);
  return known;
}

const disabled = { status: 400, error: 'This license key is disabled.' };
const limited = { status: 400, error: 'This license key has reached the activation limit.' };
const refusals: Readonly<Record<string, { status: number; error: string } | undefined>> = {
  purchase_not_found: { status: 404, error: 'license_key not found.' },
  purchase_refunded: disabled,
  purchase_cancelled: disabled,
  purchase_disputed: disabled,
  licence_ended: { status: 400, error: 'This license key has expired.' },
  activation_not_found: { status: 404, error: 'instance_id not found.' },
  activation_limit_reached: limited,
  activation_moves_exhausted: limited,
};

const toLemonSqueezy =
  (verb: Verb): ToVendor =>
  ({ code, status, msg }, request) => {
    const refusal = refusals[code] ?? { status, error: msg };
    const known = knownByRequest.get(request) ?? { license_key: null, instance: null, meta: null };
    const fields = { [flags[verb]]: false, error: refusal.error, message: refusal.error, ...known };
    return { status: refusal.status, fields };
  };
