// Signs or encrypts a callback as its package requires, and verifies the answer.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import type { Registration } from '../packages/packages.ts';

const toleranceSeconds = 300;

function deriveKey(registration: Registration, use: 'sign' | 'encrypt'): Buffer {
  const key = Buffer.from(registration.aesKey ?? '', 'base64');
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `counterfoil/v1/${use}`, 32));
}

/**
 * All attempts to send a callback have the same body, but each signed or encrypted attempt contains the time
 * at which it is made.
 */
export function sealCallback(registration: Registration, body: object, nowMs: number) {
  const unix = Math.floor(nowMs / 1000);
  const headers = {
    'x-uid': registration.uid,
    'x-api-key': registration.key,
    'x-api-secret': registration.secret,
    'content-type': 'application/json',
  };
  if (registration.security === 'encrypted') {
    const key = deriveKey(registration, 'encrypt');
    const jwe = encrypt(key, JSON.stringify({ ...body, iat: unix }));
    return { headers: { ...headers, 'content-type': 'application/jose' }, body: jwe };
  }
  const text = JSON.stringify(body);
  if (registration.security === 'headers') return { headers, body: text };
  const path = new URL(registration.callbackUrl).pathname;
  const mac = sign(deriveKey(registration, 'sign'), `${unix}.POST.${path}.${text}`);
  return { headers: { ...headers, 'x-signature': `t=${unix},v1=${mac}` }, body: text };
}

/** The text of the answer; undefined if its signature, its encryption or its timestamp is not valid. */
export function openAnswer(
  registration: Registration,
  answer: { status: number; signature: string | null; body: string },
  nowMs: number,
): string | undefined {
  const isTimely = (unix: number) => Math.abs(nowMs / 1000 - unix) <= toleranceSeconds;
  if (registration.security === 'headers') return answer.body;
  if (registration.security === 'signed') {
    const [, time = '', mac = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(answer.signature ?? '') ?? [];
    const key = deriveKey(registration, 'sign');
    const wanted = sign(key, `${time}.${answer.status}.${answer.body}`);
    const isGenuine = equalsInConstantTime(Buffer.from(mac), Buffer.from(wanted));
    return isGenuine && isTimely(Number(time)) ? answer.body : undefined;
  }
  const text = decrypt(deriveKey(registration, 'encrypt'), answer.body);
  const issued = text === undefined ? undefined : findIssueTime(text);
  return issued !== undefined && isTimely(issued) ? text : undefined;
}

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex');

const encodedHeader = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');

/** Compact JWE (RFC 7516) with direct encryption, so the part for the encrypted key is empty. */
function encrypt(key: Buffer, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(encodedHeader));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  return `${encodedHeader}..${parts.join('.')}`;
}

function decrypt(key: Buffer, jwe: string): string | undefined {
  const [header = '', encryptedKey, nonce = '', sealed = '', tag = '', more] = jwe.split('.');
  if (encryptedKey !== '' || more !== undefined) return undefined;
  try {
    const { alg, enc } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    if (alg !== 'dir' || enc !== 'A256GCM') return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, 'base64url'));
    const parts = [decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()];
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return undefined;
  }
}

function findIssueTime(text: string): number | undefined {
  try {
    const { iat } = JSON.parse(text) as { iat?: unknown };
    return typeof iat === 'number' ? iat : undefined;
  } catch {
    return undefined;
  }
}
