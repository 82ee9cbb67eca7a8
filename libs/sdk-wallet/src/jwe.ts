// Encrypts and decrypts text as compact JWE. Only the algorithms `dir` and `A256GCM` are supported.
import { fromBase64Url, joinBytes, toBase64Url, toBytes } from '../../sdk-shared/src/bytes.ts';
import type { CallbackKeys } from './callback-keys.ts';

const header = toBase64Url(toBytes('{"alg":"dir","enc":"A256GCM"}'));
const tagBytes = 16;

const gcm = (iv: Uint8Array<ArrayBuffer>, head: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: toBytes(head),
  tagLength: tagBytes * 8,
});

export async function encrypt(key: CallbackKeys['encrypt'], text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, header), key, toBytes(text)));
  const [body, tag] = [sealed.slice(0, -tagBytes), sealed.slice(-tagBytes)];
  return [header, '', ...[iv, body, tag].map(toBase64Url)].join('.');
}

/**
 * Decrypts a JWE. Returns undefined if the text is not a compact JWE with the supported algorithms, or if it
 * was encrypted with a different key.
 */
export async function decrypt(key: CallbackKeys['encrypt'], jwe: string): Promise<string | undefined> {
  const [head = '', wrapped, ...rest] = jwe.split('.');
  const [iv, body, tag] = rest.map(fromBase64Url);
  if (wrapped !== '' || rest.length !== 3 || !iv || !body || !tag) return undefined;
  if (!isOurs(head) || iv.byteLength !== 12 || tag.byteLength !== tagBytes) return undefined;
  try {
    const plain = await crypto.subtle.decrypt(gcm(iv, head), key, joinBytes(body, tag));
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch {
    return undefined;
  }
}

/**
 * Whether the header names the supported algorithms. A JWE with `crit` or `zip` is refused, because these
 * fields require special processing. All other header fields are ignored.
 */
function isOurs(head: string): boolean {
  const bytes = fromBase64Url(head);
  if (!bytes) return false;
  try {
    const fields = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    return fields.alg === 'dir' && fields.enc === 'A256GCM' && !('crit' in fields) && !('zip' in fields);
  } catch {
    return false;
  }
}
