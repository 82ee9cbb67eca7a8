// The parts that the routes of all vendors share: guards, parameters, the look-up of a purchase, and errors
// in the form of the vendor.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Type } from 'typebox';
import type { ActivationDeps } from '../activations/activation-request.ts';
import type { publishableScopes } from '../authentication/api-key.ts';
import { fail } from '../errors.ts';
import { findLicenceEnd, isGraceOver } from '../licences/licence-terms.ts';
import { getLicenceTerms } from '../licences/queries.ts';
import { findBodyFault, hideContentType, listBodyValues } from '../parameters/accept-any-body.ts';
import { agree, listQueryValues, refuseTwoValues } from '../parameters/parameters.ts';
import { parseCode } from '../purchases/code.ts';
import { recordValidation, refuseCode } from '../purchases/validation/answer-validation.ts';
import type { CodedPurchase, FoundPurchase } from '../purchases/validation/queries.ts';
import { requireSeller, type Verdict, validatePurchase } from '../purchases/validation/validate-purchase.ts';
import { refuseField } from '../wire/refusals.ts';
import type { Vendor } from '../workspaces/workspace.ts';

export type VendorDeps = ActivationDeps;

/** The beginning of the paths for clients that send no API key. The path contains the key instead. */
export const base = '/vendors/:publishable_key';

export const KeyInPath = Type.Object({
  publishable_key: Type.String({ description: 'A publishable key of the item.', maxLength: 512 }),
});

/** The vendor's answer. The guide lists its fields. */
export const VendorAnswer = Type.Object(
  {},
  { additionalProperties: true, description: "The vendor's fields." },
);

/** Lists the key in the path. A secret key is ignored there, because proxies log paths. */
export const listKeyInPath = ({ params }: FastifyRequest): readonly unknown[] => {
  const { publishable_key: key } = params as { publishable_key: string };
  return key.startsWith('ck_pub_') ? [key] : [];
};

/** The hooks of a route with the key in the path of the URL, and with parameters in the body or the query. */
export const bodyGuards = (
  deps: VendorDeps,
  given: {
    vendor: Vendor;
    scope: (typeof publishableScopes)[number];
    names: readonly string[];
    /** Converts a value that the vendor accepts in several forms. An empty text counts as absent. */
    convert?: (name: string, value: unknown) => unknown;
  },
) => ({
  onRequest: [hideContentType, deps.authenticate(given.scope, listKeyInPath)],
  preValidation: [
    requireSeller(deps.sellers),
    requireVendor(given.vendor),
    settleBody(given.names, given.convert),
  ],
});

export const requireVendor =
  (vendor: Vendor) =>
  (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    if (request.seller.vendorClients.includes(vendor)) done();
    else done(fail('vendor_client_off'));
  };

/**
 * Replaces the body by an object with the named parameters. The schema then checks this object. Empty values
 * are left out.
 */
const settleBody =
  (names: readonly string[], convert = (_name: string, value: unknown) => value) =>
  (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    const fault = findBodyFault(request);
    if (fault) {
      done(fault);
      return;
    }
    const settled: Record<string, unknown> = {};
    for (const name of names) {
      const sent = [...listBodyValues(request, name), ...listQueryValues(request.query, name)];
      const agreed = agree(sent.map((value) => convert(name, value)));
      if (agreed === 'conflict') {
        done(refuseTwoValues(request, name));
        return;
      }
      if (agreed.value !== undefined && agreed.value !== '') settled[name] = agreed.value;
    }
    request.body = settled;
    done();
  };

export interface SoughtPurchase extends FoundPurchase {
  readonly code: string;
}

/**
 * Validates a code and records the validation. Returns a purchase in any state. An unknown code and a code of
 * another item count as wrong codes.
 */
export async function seekPurchase(
  deps: VendorDeps,
  request: FastifyRequest,
  given: { field: string; code: string; isWanted?: (found: FoundPurchase) => boolean | Promise<boolean> },
): Promise<SoughtPurchase> {
  const { apiKey, ip: address } = request;
  const code = parseCode(given.code);
  if (code === undefined) throw refuseField(given.field, 'is malformed.');
  const verdict = await validatePurchase(deps, apiKey, code);
  const isOther = verdict.found && (await given.isWanted?.(verdict.found)) === false;
  const { codeHash } = verdict;
  const unknown: Verdict = { valid: false, code: 'purchase_not_found', found: undefined, codeHash };
  const { found } = isOther ? unknown : verdict;
  request.subject = recordValidation(deps, { apiKey, address, code }, isOther ? unknown : verdict);
  if (!found) throw refuseCode(deps, { apiKey, address }, 'purchase_not_found');
  return { ...found, code };
}

interface Term {
  /** The end of the licence; undefined if it never ends. */
  readonly endsAt: Date | undefined;
  /** Whether the licence and its grace period are over. */
  readonly isExpired: boolean;
}

/** Applies the terms of the item to a purchase. */
export async function getTerm(
  deps: VendorDeps,
  { apiKey: { workspaceId } }: FastifyRequest,
  { itemId, purchasedAt }: CodedPurchase,
): Promise<Term> {
  const { inForce } = await getLicenceTerms(deps.db, { workspaceId, itemId });
  const endsAt = findLicenceEnd(inForce, new Date(purchasedAt));
  return { endsAt, isExpired: isGraceOver(inForce, endsAt, deps.now()) };
}

export interface ItemText {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly demo_link: string;
  readonly published_at: string;
  readonly media: { readonly thumbnail: string };
}

export const parseItem = (itemText: string) => JSON.parse(itemText) as ItemText;

/** The error of this service, before it gets the form of the vendor. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly msg: string;
}

/**
 * Returns the fields that the vendor's errors have. Returns a status if the vendor's status differs from
 * ours.
 */
export type ToVendor = (refusal: Refusal, request: FastifyRequest) => { status?: number; fields: object };

/** A hook that adds the vendor's fields to an error. The fields of this service's errors stay. */
export const refuseAs =
  (toVendor: ToVendor) =>
  (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error?: Error | null, payload?: unknown) => void,
  ): void => {
    if (reply.statusCode < 400 || typeof payload !== 'string') {
      done(null, payload);
      return;
    }
    const body = JSON.parse(payload) as { code: string; msg: string };
    const { status, fields } = toVendor({ ...body, status: reply.statusCode }, request);
    if (status !== undefined) reply.code(status);
    const text = JSON.stringify({ ...body, ...fields });
    reply.header('content-length', Buffer.byteLength(text));
    done(null, text);
  };
