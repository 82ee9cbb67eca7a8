// Verifies or decrypts the raw bytes of a callback before anything in them is read.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { CustomerPackage } from '../../packages/customer-package.ts';
import { type CallbackKeys, listCallbackKeys } from './callback-keys.ts';
import { decryptBody, encryptText, joseType } from './encryption.ts';
import { isTimely, type SignatureFault, signAnswer, verifyRequest } from './signature.ts';

export interface Sealed {
  readonly method: string;
  /** The path of the request, without the query. */
  readonly path: string;
  readonly signature: unknown;
  readonly body: Buffer;
}

/** How the answer is signed or encrypted. The answer uses the same key as the request. */
export interface AnswerSeal {
  readonly mode: 'signed' | 'encrypted';
  readonly keys: CallbackKeys;
}

export type Opened =
  | { readonly plain: Buffer; readonly seal: AnswerSeal }
  | { readonly fault: SignatureFault };

export async function openCallback(
  masterKey: MasterKey,
  customerPackage: CustomerPackage,
  sealed: Sealed,
  now: Date,
): Promise<Opened> {
  const keys = listCallbackKeys(masterKey, customerPackage, now);
  const nowSeconds = Math.floor(now.getTime() / 1000);
  if (customerPackage.callbackSecurity === 'signed') {
    const verified = verifyRequest(keys, { ...sealed, nowSeconds });
    if ('fault' in verified) return verified;
    return { plain: sealed.body, seal: { mode: 'signed', keys: verified.keys } };
  }
  const opened = await decryptBody(keys, sealed.body);
  if (!opened) return { fault: 'signature_invalid' };
  const issued = findIssueTime(opened.plain);
  if (issued === undefined || !isTimely(issued, nowSeconds)) {
    return { fault: 'timestamp_out_of_range' };
  }
  return { plain: opened.plain, seal: { mode: 'encrypted', keys: opened.keys } };
}

function findIssueTime(plain: Buffer): number | undefined {
  try {
    const { iat } = (JSON.parse(plain.toString('utf8')) ?? {}) as { iat?: unknown };
    return typeof iat === 'number' ? iat : undefined;
  } catch {
    return undefined;
  }
}

export interface SealedAnswer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function sealAnswer(
  { mode, keys }: AnswerSeal,
  answer: { status: number; body: string },
  now: Date,
): Promise<SealedAnswer> {
  const { status, body } = answer;
  const unix = Math.floor(now.getTime() / 1000);
  if (mode === 'signed') {
    const signature = signAnswer(keys.sign, { unix, status, body: Buffer.from(body, 'utf8') });
    return { body, headers: { 'x-signature': signature } };
  }
  const timed = JSON.stringify({ ...(JSON.parse(body) as object), iat: unix });
  const headers = { 'content-type': joseType };
  return { body: await encryptText(keys.encrypt, timed), headers };
}
