// POST /api/purchases/validation (specification, section 4, rule 4).
import type { App } from '@counterfoil/kit/app';
import { ErrorAnswer } from '@counterfoil/kit/openapi';
import type { MasterKey } from '@counterfoil/kit/secrets';
import { PrintableText } from '@counterfoil/kit/text';
import type { Throttle } from '@counterfoil/kit/throttle';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Type } from 'typebox';
import type { ApiKey } from '../api-keys/api-key.ts';
import { ApiKeyParameter, type Authenticate, apiKeySecurity } from '../api-keys/authenticate.ts';
import { fail } from '../errors.ts';
import { agree, listQueryValues } from '../parameters/parameters.ts';
import { refuseTwoValues } from '../parameters/settle-query.ts';
import {
  findBodyFault,
  listBodyValues,
  setTypeAside,
  takeAnyBody,
} from '../parameters/take-any-body.ts';
import { refuseTooMany } from '../refuse-too-many.ts';
import type { UsageSink } from '../usage/usage-sink.ts';
import type { Seller, SellerFinder } from '../workspaces/find-seller.ts';
import { createCodeHasher, foldCode, makeCodeHint, maxCodeLength, restoreCode } from './code.ts';
import type { PurchaseFinder } from './find-purchase-by-code.ts';
import { PurchaseAnswer } from './purchase.ts';
import { type Invalidity, validatePurchase } from './validate-purchase.ts';
import { writeValidation } from './validation-answer.ts';

const parameter = 'purchase_code';

const Code = PrintableText({
  min: 1,
  max: maxCodeLength,
  description: 'Surrounding spaces and letter case do not count.',
  examples: ['86781236-23d0-4b3c-7dfa-c1c147e0dece'],
});

const schema = {
  tags: ['Purchases'],
  summary: 'Check whether a purchase code is valid',
  description:
    'Reads only, safe to repeat. The parameters may come in the body or in the query; ' +
    'in several places they must agree. Unknown fields are ignored.',
  security: apiKeySecurity,
  consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  body: Type.Object({ api_key: ApiKeyParameter, [parameter]: Code }),
  response: {
    200: Type.Object({
      status: Type.Literal('success'),
      data: Type.Object({ purchase: PurchaseAnswer }),
    }),
    '4xx': ErrorAnswer,
    503: ErrorAnswer,
  },
};

declare module 'fastify' {
  interface FastifyRequest {
    seller: Seller;
  }
}

export interface ValidationDeps {
  readonly authenticate: Authenticate;
  readonly sellers: SellerFinder;
  readonly find: PurchaseFinder;
  readonly masterKey: MasterKey;
  readonly wrongCodes: Readonly<Record<ApiKey['kind'], Throttle>>;
  readonly usage: UsageSink;
  readonly now: () => Date;
}

export function registerPurchaseRoutes(app: App, deps: ValidationDeps): void {
  const ready = { ...deps, hashCode: createCodeHasher(deps.masterKey) };
  app.register(async (scope: App) => {
    takeAnyBody(scope, ['api_key', parameter]);
    const guard = deps.authenticate.withBody('purchases:validate', {
      listKeys: (request) => listBodyValues(request, 'api_key'),
      findFault: findBodyFault,
    });
    scope.post(
      '/api/purchases/validation',
      {
        schema,
        config: { invalidParameterMsg: 'Invalid purchase code' },
        onRequest: [setTypeAside, guard.onRequest],
        preValidation: [guard.preValidation, requireSeller(deps.sellers), settleCode],
      },
      async (request, reply) => {
        const text = await answer(ready, request, request.body[parameter]);
        return (reply as FastifyReply).type('application/json; charset=utf-8').send(text);
      },
    );
  });
}

const requireSeller =
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

/** What is left to the schema is one code, from wherever it came. */
function settleCode(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  const fault = findBodyFault(request);
  if (fault) {
    done(fault);
    return;
  }
  const inBody = listBodyValues(request, parameter);
  const inQuery = listQueryValues(request.query, parameter);
  const values = inQuery.length === 0 ? inBody : [...inBody, ...inQuery];
  const agreed = agree(values, (text) => foldCode(text.trim()));
  if (agreed === 'conflict') {
    done(refuseTwoValues(request, parameter));
    return;
  }
  const code = typeof agreed.value === 'string' ? agreed.value.trim() : agreed.value;
  request.body = code === undefined ? {} : { [parameter]: code };
  done();
}

async function answer(
  deps: ValidationDeps & { hashCode: (code: string) => string },
  request: FastifyRequest,
  code: string,
) {
  const { apiKey } = request;
  const verdict = await validatePurchase(deps, apiKey, code);
  const purchase = verdict.found?.purchase;
  const codeHint = makeCodeHint(code);
  request.subject = { itemId: purchase?.itemId, codeHint };
  deps.usage.onValidation({
    workspaceId: apiKey.workspaceId,
    apiKeyId: apiKey.id,
    address: request.ip,
    at: deps.now(),
    outcome: verdict.valid ? 'valid' : verdict.code,
    itemId: purchase?.itemId,
    purchaseId: purchase?.id,
    codeHint,
  });
  if (!verdict.valid) throw refuse(deps, request, verdict.code);
  return writeValidation({
    found: verdict.found,
    code: restoreCode(deps.masterKey, {
      code,
      codeHash: verdict.codeHash,
      sealedIfMixedCase: verdict.found.purchase.sealedIfMixedCase,
    }),
    supportEnabled: request.seller.supportEnabled,
    legacyItem: apiKey.legacyItem,
  });
}

/** A sale of one's own that is no longer active is no guess: it never counts as a wrong code. */
function refuse(deps: ValidationDeps, request: FastifyRequest, code: Invalidity): Error {
  if (code !== 'purchase_not_found') return fail(code);
  const throttle = deps.wrongCodes[request.apiKey.kind];
  const counted = throttle.fail(`${request.apiKey.id} ${request.ip}`);
  return counted.limited ? refuseTooMany('wrong-codes', throttle, counted) : fail(code);
}
