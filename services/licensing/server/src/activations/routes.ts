// POST /api/v1/activations and …/release: called by software on buyers' hosts, with a secret or a publishable
// key.
import { Answer, answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { exactlyOne } from '@counterfoil/kit/http/openapi/forms';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import { apiKeySecurity } from '../authentication/authenticate.ts';
import { fail } from '../errors.ts';
import { NonceHeader } from '../signing-keys/sign-answers.ts';
import { IdNumber } from '../wire/input.ts';
import { activatePurchase } from './activate-purchase.ts';
import { ActivationAnswer, presentActivation, readTarget } from './activation.ts';
import { type ActivationDeps, CodeAndTarget, findPurchase, guards } from './activation-request.ts';
import { releaseActivation } from './release-activation.ts';

export function registerActivationRoutes(app: App, deps: ActivationDeps): void {
  registerActivate(app, deps);
  registerRelease(app, deps);
}

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
    headers: NonceHeader,
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
    headers: NonceHeader,
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
