// The parts of requests that name a purchase and a host: fields, guards, and the look-up of the purchase.
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { notBlankForm } from '@counterfoil/kit/http/text';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Authenticate } from '../authentication/authenticate.ts';
import { makeCodeHint, parseCode } from '../purchases/code.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { type AnswerDeps, refuseCode } from '../purchases/validation/answer-validation.ts';
import { requireSeller, validatePurchase } from '../purchases/validation/validate-purchase.ts';
import type { AnswerSigning } from '../signing-keys/sign-answers.ts';
import { IdNumber } from '../wire/input.ts';
import { refuseField, refuseTooMany } from '../wire/refusals.ts';
import type { SellerFinder } from '../workspaces/workspace-cache.ts';
import { maxMachineIdLength } from './activation.ts';

export interface ActivationDeps extends AnswerDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  readonly sellers: SellerFinder;
  readonly signing: AnswerSigning;
  /** Limits the activations and releases of a purchase, because each of them adds a line to the audit log. */
  readonly changes: Throttle;
}

export const CodeAndTarget = {
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

/**
 * The hooks of the activation routes. They require a key with the scope `activations:write` and an account
 * that may sell. If the request has a nonce, they sign the answer.
 */
export const guards = (deps: ActivationDeps) => ({
  onRequest: deps.authenticate('activations:write'),
  preValidation: [requireSeller(deps.sellers), deps.signing.checkNonce],
  onSend: deps.signing.onSend,
});

/** Finds a purchase in any state. An unknown code counts against the limit of wrong codes. */
export async function findPurchase(
  deps: ActivationDeps,
  request: Pick<FastifyRequest, 'apiKey' | 'ip' | 'subject'>,
  given: { readonly purchase_code: string; readonly item_id?: number },
) {
  const { apiKey, ip: address } = request;
  const code = parseCode(given.purchase_code);
  if (code === undefined) throw refuseField('purchase_code', 'is malformed.');
  const { workspaceId } = apiKey;
  const verdict = await validatePurchase(deps, apiKey, code);
  const { found, codeHash } = verdict;
  const purchase = found?.purchase;
  request.subject = { itemId: purchase?.itemId, codeHint: makeCodeHint(code) };
  const isOther = given.item_id !== undefined && purchase?.itemId !== BigInt(given.item_id);
  if (!found || !purchase || isOther) throw refuseCode(deps, { apiKey, address }, 'purchase_not_found');
  const onChange = () => {
    const counted = deps.changes.fail(`${workspaceId} ${purchase.id}`);
    if (counted.limited) throw refuseTooMany('activation-changes', deps.changes, counted);
  };
  const caller = { workspaceId, actor: { apiKeyId: apiKey.id, address } };
  return { purchase, itemText: found.itemText, code, codeHash, caller, onChange };
}
