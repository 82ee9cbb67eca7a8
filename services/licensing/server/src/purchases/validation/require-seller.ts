// Lets a request through only where the account behind its key sells.
import type { FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { fail } from '../../errors.ts';
import type { Seller, SellerFinder } from '../../workspaces/find-seller.ts';

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
