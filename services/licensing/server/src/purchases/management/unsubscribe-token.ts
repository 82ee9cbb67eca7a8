// The token of an unsubscribe link: purchase and e-mail of the buyer, signed with the master key.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey } from '@counterfoil/kit/crypto/secrets';

interface Subscription {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
  readonly email: string;
}

const prefix = 'cfu_';
const tokenForm = /^cfu_[A-Za-z0-9_-]{86}$/;
const [idBytes, emailBytes, macBytes] = [8, 16, 32];
const headBytes = 2 * idBytes;

const sign = (masterKey: MasterKey, content: Buffer | string): Buffer =>
  createHmac('sha256', masterKey.derive('unsubscribe-link')).update(content).digest();

/** A short keyed hash of the e-mail, so that the token of another buyer of the same purchase is not valid. */
const hashEmail = (masterKey: MasterKey, email: string): Buffer =>
  sign(masterKey, `e-mail ${email.toLowerCase()}`).subarray(0, emailBytes);

/** The token stays valid, so that the link of each mail works, also when it is opened twice. */
export function makeUnsubscribeToken(masterKey: MasterKey, subscription: Subscription): string {
  const head = Buffer.alloc(headBytes);
  head.writeBigUInt64BE(subscription.workspaceId, 0);
  head.writeBigUInt64BE(subscription.purchaseId, idBytes);
  const payload = Buffer.concat([head, hashEmail(masterKey, subscription.email)]);
  return prefix + Buffer.concat([payload, sign(masterKey, payload)]).toString('base64url');
}

/** Returns the purchase of a token, or undefined if its signature is wrong. */
export function readUnsubscribeToken(masterKey: MasterKey, token: string) {
  if (!tokenForm.test(token)) return undefined;
  const text = token.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64url');
  // Decoding ignores some bits of the last character, so several texts decode to the same bytes.
  if (bytes.toString('base64url') !== text) return undefined;
  const payload = bytes.subarray(0, -macBytes);
  if (!equalsInConstantTime(sign(masterKey, payload), bytes.subarray(-macBytes))) return undefined;
  return {
    workspaceId: payload.readBigUInt64BE(0),
    purchaseId: payload.readBigUInt64BE(idBytes),
    /** Whether the token was made for this e-mail. */
    isOf: (email: string): boolean =>
      equalsInConstantTime(hashEmail(masterKey, email), payload.subarray(headBytes)),
  };
}
