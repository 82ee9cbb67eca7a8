// POST /api/v1/activations and …/release: called by software on buyers' hosts, with a secret or a publishable
// key.
import { Answer, answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { exactlyOne } from '@counterfoil/kit/http/openapi/forms';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { shownAs, shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { notBlankForm } from '@counterfoil/kit/http/text';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Authenticate, apiKeySecurity } from '../authentication/authenticate.ts';
import { fail } from '../errors.ts';
import { makeCodeHint, parseCode } from '../purchases/code.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { type AnswerDeps, refuseCode } from '../purchases/validation/answer-validation.ts';
import type { CodedPurchase } from '../purchases/validation/queries.ts';
import { requireSeller, validatePurchase } from '../purchases/validation/validate-purchase.ts';
import { IdNumber } from '../wire/input.ts';
import { refuseField, refuseTooMany } from '../wire/refusals.ts';
import type { SellerFinder } from '../workspaces/workspace-cache.ts';
import { activatePurchase } from './activate-purchase.ts';
import { ActivationAnswer, maxMachineIdLength, presentActivation, readTarget } from './activation.ts';
import { releaseActivation } from './release-activation.ts';

export interface ActivationDeps extends AnswerDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  readonly sellers: SellerFinder;
  /** Limits the activations and releases of a purchase, because each of them adds a line to the audit log. */
  readonly changes: Throttle;
}

const CodeAndTarget = {
  purchase_code: CodeInput,
  domain: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'A host or a URL. Scheme, `www.`, port, path, letter case and a last dot do not matter.',
      examples: ['https://www.shop.example/'],
    }),
  ),
  machine_id: Type.Optional(
    shownAs(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'For software without a domain: the id of its machine, in the exact letter case.',
      }),
      notBlankForm(maxMachineIdLength),
    ),
  ),
  item_id: Type.Optional(IdNumber('If given, a code of another item is answered with `purchase_not_found`.')),
};

export function registerActivationRoutes(app: App, deps: ActivationDeps): void {
  registerActivate(app, deps);
  registerRelease(app, deps);
}

const guards = (deps: ActivationDeps) => ({
  onRequest: deps.authenticate('activations:write'),
  preValidation: requireSeller(deps.sellers),
});

const route = { tags: ['Activations'], security: apiKeySecurity };

function registerActivate(app: App, deps: ActivationDeps): void {
  const data = Type.Object({
    activation: ActivationAnswer,
    created: Type.Boolean({
      description: 'False if this host or machine was already active: a reinstallation is free.',
    }),
    limit: Type.Integer({ description: 'The number of seats of this licence; 0 means 10000.' }),
    used: Type.Integer({ description: 'Seats in use, including that of this host if it occupies one.' }),
  });
  const schema = {
    ...route,
    summary: 'Activate a purchase code on a host or a machine',
    description:
      'Safe to repeat: the same host gives the same activation. A publishable key activates its own item.',
    body: shownWith(Type.Object(CodeAndTarget), exactlyOne(['domain', 'machine_id'])),
    response: { 200: Answer(data), '4xx': ErrorAnswer },
  };
  app.post('/api/v1/activations', { schema, ...guards(deps) }, async (request) => {
    const target = readTarget(request.body);
    const { purchase, caller, onChange } = await findPurchase(deps, request, request.body);
    if (purchase.state !== 'active') throw fail(`purchase_${purchase.state}`);
    const wanted = { caller, purchaseId: purchase.id, target, now: deps.now(), onChange };
    const { activation, isNew: created, limit, used } = await activatePurchase(deps, wanted);
    return answer(request, { activation: presentActivation(activation), created, limit, used });
  });
}

function registerRelease(app: App, deps: ActivationDeps): void {
  const schema = {
    ...route,
    summary: 'Release an activation, so that another host can use its seat',
    description:
      'Send the code with the host or machine, or the code with the `activation_id`. ' +
      'A released activation stays released.',
    body: shownWith(
      Type.Object({
        ...CodeAndTarget,
        activation_id: Type.Optional(
          IdNumber('Instead of the host or machine; takes precedence if both are given.'),
        ),
      }),
      { anyOf: [{ required: ['activation_id'] }, exactlyOne(['domain', 'machine_id'])] },
    ),
    response: { 200: Answer(Type.Object({ activation: ActivationAnswer })), '4xx': ErrorAnswer },
  };
  app.post('/api/v1/activations/release', { schema, ...guards(deps) }, async (request) => {
    const { activation_id: id, ...given } = request.body;
    const target = id === undefined ? readTarget(given) : BigInt(id);
    const { purchase, caller, onChange } = await findPurchase(deps, request, given);
    const release = { caller, now: deps.now(), isMove: true, onChange, target };
    const activation = await deps.db.transaction((tx) =>
      releaseActivation(tx, deps.masterKey, { ...release, purchaseId: purchase.id }),
    );
    return answer(request, { activation: presentActivation(activation) });
  });
}

/** Finds a purchase in any state. An unknown code counts against the limit of wrong codes. */
async function findPurchase(
  deps: ActivationDeps,
  request: FastifyRequest,
  given: { purchase_code: string; item_id?: number },
) {
  const { apiKey, ip: address } = request;
  const code = parseCode(given.purchase_code);
  if (code === undefined) throw refuseField('purchase_code', 'is malformed.');
  const { workspaceId } = apiKey;
  const verdict = await validatePurchase(deps, apiKey, code);
  const purchase: CodedPurchase | undefined = verdict.found?.purchase;
  request.subject = { itemId: purchase?.itemId, codeHint: makeCodeHint(code) };
  const isOther = given.item_id !== undefined && purchase?.itemId !== BigInt(given.item_id);
  if (!purchase || isOther) throw refuseCode(deps, { apiKey, address }, 'purchase_not_found');
  const onChange = () => {
    const counted = deps.changes.fail(`${workspaceId} ${purchase.id}`);
    if (counted.limited) throw refuseTooMany('activation-changes', deps.changes, counted);
  };
  return { purchase, caller: { workspaceId, actor: { apiKeyId: apiKey.id, address } }, onChange };
}
