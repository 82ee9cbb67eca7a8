// POST /api/purchases/validation (specification, section 4, rule 4).
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Type } from 'typebox';
import { ApiKeyParameter, type Authenticate, apiKeySecurity } from '../../authentication/authenticate.ts';
import {
  acceptAnyBody,
  findBodyFault,
  hideContentType,
  listBodyValues,
} from '../../parameters/accept-any-body.ts';
import { agree, listQueryValues, refuseTwoValues } from '../../parameters/parameters.ts';
import { type AnswerSigning, NonceHeader } from '../../signing-keys/sign-answers.ts';
import { refuseTooMany } from '../../wire/refusals.ts';
import type { SellerFinder } from '../../workspaces/workspace-cache.ts';
import { normaliseCode } from '../code.ts';
import { CodeInput, PurchaseAnswer } from '../purchase.ts';
import { type AnswerDeps, answerValidation } from './answer-validation.ts';
import { createPlayTestCode, describeTestCodes, type WaitForSlowCode } from './test-codes.ts';
import { requireSeller } from './validate-purchase.ts';

const parameter = 'purchase_code';

const schema = {
  tags: ['Purchases'],
  summary: 'Check whether a purchase code is valid',
  description:
    'Reads only and is safe to repeat. The parameters may be in the body or in the query; ' +
    'a parameter that is given twice must have one value. Unknown fields are ignored. ' +
    `With a test key there is a code for every answer. ${describeTestCodes}`,
  security: apiKeySecurity,
  headers: NonceHeader,
  consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  body: Type.Object({ api_key: ApiKeyParameter, [parameter]: CodeInput }),
  response: {
    200: Type.Object({ status: Type.Literal('success'), data: Type.Object({ purchase: PurchaseAnswer }) }),
    '4xx': ErrorAnswer,
    503: ErrorAnswer,
  },
};

export interface ValidationDeps extends AnswerDeps {
  readonly authenticate: Authenticate;
  readonly sellers: SellerFinder;
  readonly signing: AnswerSigning;
  readonly waitForSlowCode?: WaitForSlowCode | undefined;
}

export function registerPurchaseRoutes(app: App, deps: ValidationDeps): void {
  const playTestCode = createPlayTestCode(deps.waitForSlowCode);
  app.register(async (scope: App) => {
    acceptAnyBody(scope, ['api_key', parameter]);
    const guard = deps.authenticate.withBody('purchases:validate', {
      listKeys: (request) => listBodyValues(request, 'api_key'),
      findFault: findBodyFault,
    });
    scope.post(
      '/api/purchases/validation',
      {
        schema,
        config: { invalidParameterMsg: 'Invalid purchase code' },
        onRequest: [hideContentType, guard.onRequest],
        preValidation: [
          guard.preValidation,
          requireSeller(deps.sellers),
          deps.signing.checkNonce,
          settleCode,
        ],
        onSend: deps.signing.onSend,
      },
      async (request, reply) => {
        const { apiKey, seller, ip: address } = request;
        const code = request.body[parameter];
        if (apiKey.isTest) {
          const throttle = deps.wrongCodes[apiKey.kind];
          const { workspaceId } = apiKey;
          await playTestCode({ workspaceId, code }, (counted) =>
            refuseTooMany('wrong-codes', throttle, counted),
          );
        }
        const question = { apiKey, seller, address, code };
        const { result, subject } = await answerValidation(deps, question);
        request.subject = subject;
        if (typeof result !== 'string') throw result;
        return (reply as FastifyReply).type('application/json; charset=utf-8').send(result);
      },
    );
  });
}

/**
 * Reads the code from the query or the body, and replaces the body by an object with this code. The schema
 * then checks the new body.
 */
function settleCode(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  const fault = findBodyFault(request);
  if (fault) {
    done(fault);
    return;
  }
  const inBody = listBodyValues(request, parameter);
  const inQuery = listQueryValues(request.query, parameter);
  const values = inQuery.length === 0 ? inBody : [...inBody, ...inQuery];
  const agreed = agree(values, (text) => normaliseCode(text.trim()));
  if (agreed === 'conflict') {
    done(refuseTwoValues(request, parameter));
    return;
  }
  const code = typeof agreed.value === 'string' ? agreed.value.trim() : agreed.value;
  request.body = code === undefined ? {} : { [parameter]: code };
  done();
}
