// Answers a validation request from the router or from the fast path, and records the validation.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { networkOf } from '@counterfoil/kit/http/network';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { ApiKey } from '../../authentication/api-key.ts';
import { fail } from '../../errors.ts';
import type { UsageSink } from '../../usage/usage-sink.ts';
import { refuseTooMany } from '../../wire/refusals.ts';
import type { Seller } from '../../workspaces/workspace-cache.ts';
import { makeCodeHint, restoreCode } from '../code.ts';
import type { PurchaseFinder } from './queries.ts';
import { type Invalidity, type Verdict, validatePurchase } from './validate-purchase.ts';
import { writeValidation } from './validation-answer.ts';

export interface AnswerDeps {
  readonly find: PurchaseFinder;
  readonly hashCode: (code: string) => string;
  readonly masterKey: MasterKey;
  readonly wrongCodes: Readonly<Record<ApiKey['kind'], Throttle>>;
  readonly usage: UsageSink;
  readonly now: () => Date;
}

/** The data of a validation request: the key, its seller, the client's IP address and the code. */
export interface Question {
  readonly apiKey: ApiKey;
  readonly seller: Seller;
  readonly address: string;
  /** The purchase code, trimmed and with a valid form. */
  readonly code: string;
}

export interface AnsweredQuestion {
  /** The JSON for a valid code, or the error. */
  readonly result: string | Error;
  readonly subject: { readonly itemId: bigint | undefined; readonly codeHint: string };
}

export const answerValidation = (deps: AnswerDeps, question: Question): Promise<AnsweredQuestion> =>
  validatePurchase(deps, question.apiKey, question.code).then((verdict) => present(deps, question, verdict));

/** Records a validation in the usage. Returns the item and the end of the code for the request log. */
export function recordValidation(
  deps: Pick<AnswerDeps, 'usage' | 'now'>,
  { apiKey, code, address }: Pick<Question, 'apiKey' | 'code' | 'address'>,
  verdict: Verdict,
): AnsweredQuestion['subject'] {
  const purchase = verdict.found?.purchase;
  const codeHint = makeCodeHint(code);
  deps.usage.onValidation({
    workspaceId: apiKey.workspaceId,
    apiKeyId: apiKey.id,
    address,
    at: deps.now(),
    outcome: verdict.valid ? 'valid' : verdict.code,
    itemId: purchase?.itemId,
    purchaseId: purchase?.id,
    codeHint,
  });
  return { itemId: purchase?.itemId, codeHint };
}

function present(deps: AnswerDeps, question: Question, verdict: Verdict): AnsweredQuestion {
  const { apiKey, code } = question;
  const subject = recordValidation(deps, question, verdict);
  if (!verdict.valid) return { result: refuseCode(deps, question, verdict.code), subject };
  const result = writeValidation({
    found: verdict.found,
    code: restoreCode(deps.masterKey, {
      code,
      codeHash: verdict.codeHash,
      sealedIfMixedCase: verdict.found.purchase.sealedIfMixedCase,
    }),
    supportEnabled: question.seller.supportEnabled,
    legacyItem: apiKey.legacyItem,
  });
  return { result, subject };
}

/**
 * The error for a code that is not valid. Only an unknown code counts towards the limit of wrong codes. A
 * sender with the code of an inactive purchase has not guessed the code.
 */
export function refuseCode(
  deps: Pick<AnswerDeps, 'wrongCodes'>,
  { apiKey, address }: Pick<Question, 'apiKey' | 'address'>,
  code: Invalidity,
): Error {
  return refuseCodeFrom(deps.wrongCodes[apiKey.kind], `${apiKey.id} ${networkOf(address)}`, code);
}

/**
 * Makes the error for an unknown code. `limited` is the error for too many wrong codes, or undefined if the
 * sender has not sent too many.
 */
export type RefuseUnknown = (limited: Error | undefined) => Error;

/**
 * Like `refuseCode`, but the caller chooses `sender`, whose wrong codes are counted, and `refuseUnknown`,
 * which makes the error for an unknown code.
 */
export function refuseCodeFrom(
  throttle: Throttle,
  sender: string,
  code: Invalidity,
  refuseUnknown: RefuseUnknown = (limited) => limited ?? fail('purchase_not_found'),
): Error {
  if (code !== 'purchase_not_found') return fail(code);
  const counted = throttle.fail(sender);
  return refuseUnknown(counted.limited ? refuseTooMany('wrong-codes', throttle, counted) : undefined);
}
