// Decides whether a purchase code is valid for an API key, and refuses keys of accounts that may not sell.
import type { FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { ApiKey } from '../../authentication/api-key.ts';
import { fail } from '../../errors.ts';
import type { Seller, SellerFinder } from '../../workspaces/workspace-cache.ts';
import type { FoundPurchase, PurchaseFinder } from './queries.ts';

export type Invalidity =
  | 'purchase_not_found'
  | 'purchase_refunded'
  | 'purchase_cancelled'
  | 'purchase_disputed';

/** The result of a validation. "Not valid" is a result, not an exception. */
export type Verdict =
  | { readonly valid: true; readonly found: FoundPurchase; readonly codeHash: string }
  | {
      readonly valid: false;
      readonly code: Invalidity;
      readonly found: FoundPurchase | undefined;
      readonly codeHash: string;
    };

export async function validatePurchase(
  deps: { find: PurchaseFinder; hashCode: (code: string) => string },
  key: Pick<ApiKey, 'workspaceId' | 'itemId'>,
  code: string,
): Promise<Verdict> {
  const codeHash = deps.hashCode(code);
  const found = await deps.find(key.workspaceId, codeHash);
  // For a publishable key, the codes of other items are unknown codes.
  if (!found || (key.itemId !== undefined && found.purchase.itemId !== key.itemId)) {
    return { valid: false, code: 'purchase_not_found', found: undefined, codeHash };
  }
  const { state } = found.purchase;
  if (state !== 'active') return { valid: false, code: `purchase_${state}`, found, codeHash };
  return { valid: true, found, codeHash };
}

declare module 'fastify' {
  interface FastifyRequest {
    seller: Seller;
  }
}

export const requireSeller =
  (sellers: SellerFinder) =>
  (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    const settle = (seller: Seller | undefined) => {
      if (!seller?.isSeller) done(fail('not_a_seller'));
      else {
        request.seller = seller;
        done();
      }
    };
    const known = sellers.peek(request.apiKey.workspaceId);
    if (known) settle(known);
    else sellers.get(request.apiKey.workspaceId).then(settle, done);
  };
