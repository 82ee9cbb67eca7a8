// An offline licence: a signed statement that a purchase may run on one host until a certain time.
import { hash } from 'node:crypto';
import { presentTime } from '@counterfoil/kit/http/answers';
import type { Target } from '../activations/activation.ts';
import type { CodedPurchase } from '../purchases/validation/queries.ts';
import type { LicenceTerms } from './licence-terms.ts';

export const licenceType = 'counterfoil-licence+jwt';
export const revocationsType = 'counterfoil-revocations+jwt';

const daySeconds = 86_400;

const codeIdPrefix = Buffer.from('licence');
const codeIdBytes = 16;

/**
 * The public id of a purchase code in licences and revocation lists. The id is made from the keyed hash of
 * the code, so it does not reveal the code. If a code is replaced, the new code has another id.
 */
export const makeCodeId = (codeHash: Buffer): string =>
  hash('sha256', Buffer.concat([codeIdPrefix, codeHash]), 'buffer')
    .subarray(0, codeIdBytes)
    .toString('base64url');

export interface LicenceContent {
  readonly issuer: string;
  readonly purchase: CodedPurchase;
  readonly codeHash: Buffer;
  readonly target: Target;
  readonly terms: LicenceTerms;
  /** The end of the licence; undefined if it never ends. */
  readonly endsAt: Date | undefined;
  readonly supportEnabled: boolean;
  readonly now: Date;
}

/** Makes the claims. An offline licence never expires later than the licence of its purchase ends. */
export function makeClaims(given: LicenceContent) {
  const { purchase, target, terms, endsAt, now } = given;
  const iat = Math.floor(now.getTime() / 1000);
  const latest = endsAt ? Math.floor(endsAt.getTime() / 1000) : Number.POSITIVE_INFINITY;
  return {
    iss: given.issuer,
    sub: String(purchase.id),
    item_id: Number(purchase.itemId),
    license_type: purchase.licenseType,
    [target.kind === 'domain' ? 'domain' : 'machine_id']: target.name,
    ...(given.supportEnabled && purchase.supportedUntil && { supported_until: purchase.supportedUntil }),
    ...(endsAt && { license_until: presentTime(endsAt) }),
    code_id: makeCodeId(given.codeHash),
    iat,
    exp: Math.min(iat + terms.valid_days * daySeconds, latest),
    grace: terms.grace_days * daySeconds,
  };
}
