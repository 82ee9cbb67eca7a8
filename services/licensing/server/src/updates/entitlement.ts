// Decides which versions a caller may download. The caller proves a purchase by its code or by a licence.
import { ServiceError } from '@counterfoil/kit/http/errors';
import { networkOf } from '@counterfoil/kit/http/network';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import type { ItemVersion } from '../items/item-version.ts';
import { makeCodeId } from '../licences/licence.ts';
import { findLicenceEnd } from '../licences/licence-terms.ts';
import { getLicenceTerms } from '../licences/queries.ts';
import { isLicence, readLicence } from '../licences/read-licence.ts';
import { agree, refuseTwoValues } from '../parameters/parameters.ts';
import { makeCodeHint, parseCode } from '../purchases/code.ts';
import { findPurchase } from '../purchases/management/queries.ts';
import { getPublicState } from '../purchases/purchase.ts';
import { type RefuseUnknown, refuseCodeFrom } from '../purchases/validation/answer-validation.ts';
import type { PurchaseFinder } from '../purchases/validation/queries.ts';
import { type Invalidity, validatePurchase } from '../purchases/validation/validate-purchase.ts';
import type { SigningKeyFinder } from '../signing-keys/signing-key-finder.ts';
import type { UsageSink } from '../usage/usage-sink.ts';
import { refuseField } from '../wire/refusals.ts';
import type { SellerFinder } from '../workspaces/workspace-cache.ts';

export interface EntitlementDeps {
  readonly db: Db;
  readonly find: PurchaseFinder;
  readonly hashCode: (code: string) => string;
  readonly wrongCodes: { readonly publishable: Throttle };
  readonly sellers: SellerFinder;
  readonly signingKeys: SigningKeyFinder;
  readonly usage: UsageSink;
  readonly now: () => Date;
}

/**
 * The workspace and the item whose versions are requested. A request to a Composer repository names no item.
 */
export interface Wanted {
  readonly workspaceId: bigint;
  readonly itemId: bigint | undefined;
  /** Makes the error for an unknown code; by default `purchase_not_found`. */
  readonly refuseUnknown?: RefuseUnknown;
}

export interface Entitlement {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
  readonly purchaseId: bigint;
  /** The public id of the purchase's code. If the code is replaced, the public id changes. */
  readonly codeId: string;
  /**
   * The purchase includes the versions that were released until this time; undefined if it includes all
   * versions.
   */
  readonly updatesUntil: Date | undefined;
}

export interface ProvenPurchase {
  readonly id: bigint;
  readonly itemId: bigint;
  readonly purchasedAt: Date;
  readonly supportedUntil: Date | undefined;
  readonly codeHash: Buffer;
}

const parameter = 'purchase_code';

/** The password of HTTP basic authentication, or undefined. The user name does not matter. */
function readPassword(authorization = ''): string | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
}

/**
 * Reads the code or licence of a request from the header X-Purchase-Code, from the password of basic
 * authentication, or from `inQuery`. If several of them have a value, the values must be equal. An empty
 * value counts as absent.
 */
export function readProof(request: FastifyRequest, inQuery?: string): string | undefined {
  const { 'x-purchase-code': inHeader, authorization } = request.headers;
  const sent = [inHeader, readPassword(authorization), inQuery].map((each) => String(each ?? '').trim());
  const agreed = agree(sent.filter((each) => each !== ''));
  if (agreed === 'conflict') throw refuseTwoValues(request, parameter);
  const proof = agreed.value as string | undefined;
  if (proof === undefined || isLicence(proof) || parseCode(proof) !== undefined) return proof;
  throw refuseField(parameter, 'is malformed.');
}

/**
 * Returns the entitlement, or throws the error that validation gives for the code. A refused code counts on
 * the page of likely abuse.
 */
export async function getEntitlement(
  deps: EntitlementDeps,
  wanted: Wanted,
  { proof, address }: { proof: string; address: string },
): Promise<Entitlement> {
  const { workspaceId } = wanted;
  const found = await (isLicence(proof) ? findByLicence : findByCode)(deps, wanted, proof);
  if (typeof found === 'string') {
    const sender = `updates ${workspaceId} ${networkOf(address)}`;
    const error = refuseCodeFrom(deps.wrongCodes.publishable, sender, found, wanted.refuseUnknown);
    // All limited requests of an address in an hour need one row, because their codes are not recorded.
    const isLimited = error instanceof ServiceError && error.code === 'rate_limited';
    const codeHint = isLimited ? '' : makeCodeHint(proof);
    deps.usage.onRefusedCode({ workspaceId, address, at: deps.now(), codeHint });
    throw error;
  }
  const entitlement = await findEntitlement(deps, workspaceId, found);
  if (typeof entitlement === 'string') throw fail(entitlement);
  return entitlement;
}

/** Returns the entitlement of an active purchase, or the reason why it has none. */
export async function findEntitlement(
  deps: Pick<EntitlementDeps, 'db' | 'sellers' | 'now'>,
  workspaceId: bigint,
  purchase: ProvenPurchase,
): Promise<Entitlement | 'not_a_seller' | 'licence_ended'> {
  const seller = await deps.sellers.get(workspaceId);
  if (!seller?.isSeller) return 'not_a_seller';
  const { itemId, id: purchaseId } = purchase;
  const { inForce } = await getLicenceTerms(deps.db, { workspaceId, itemId });
  const endsAt = findLicenceEnd(inForce, purchase.purchasedAt);
  if (endsAt && endsAt <= deps.now()) return 'licence_ended';
  const isLimited = inForce.updates === 'support' && seller.supportEnabled;
  const updatesUntil = isLimited ? purchase.supportedUntil : undefined;
  return { workspaceId, itemId, purchaseId, codeId: makeCodeId(purchase.codeHash), updatesUntil };
}

async function findByCode(
  deps: EntitlementDeps,
  wanted: Wanted,
  code: string,
): Promise<ProvenPurchase | Invalidity> {
  const verdict = await validatePurchase(deps, wanted, code);
  if (!verdict.valid) return verdict.code;
  const { id, itemId, purchasedAt, supportedUntil } = verdict.found.purchase;
  return {
    id,
    itemId,
    purchasedAt: new Date(purchasedAt),
    supportedUntil: supportedUntil === undefined ? undefined : new Date(supportedUntil),
    codeHash: Buffer.from(verdict.codeHash, 'hex'),
  };
}

/** A licence of a replaced code is refused like an unknown code. */
async function findByLicence(
  deps: EntitlementDeps,
  { workspaceId, itemId }: Wanted,
  licence: string,
): Promise<ProvenPurchase | Invalidity> {
  const claims = await readLicence(deps, workspaceId, licence);
  if (!claims) return 'purchase_not_found';
  const purchase = await findPurchase(deps.db, { workspaceId, purchaseId: BigInt(claims.sub) });
  if (!purchase || makeCodeId(purchase.codeHash) !== claims.code_id) return 'purchase_not_found';
  if (itemId !== undefined && purchase.itemId !== itemId) return 'purchase_not_found';
  const state = getPublicState(purchase);
  if (state !== 'active') return `purchase_${state}`;
  if ((claims.exp + claims.grace) * 1000 < deps.now().getTime()) throw fail('licence_ended');
  return purchase;
}

export const mayDownload = ({ updatesUntil }: Entitlement, { createdAt }: ItemVersion): boolean =>
  updatesUntil === undefined || createdAt <= updatesUntil;
