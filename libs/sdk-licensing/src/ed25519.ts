// Verifies Ed25519 signatures with WebCrypto, which browsers and Node have.
import { type Bytes, fromBase64Url } from '../../sdk-shared/src/bytes.ts';

/** A public key of the JWK Set at `/.well-known/jwks/{workspace}.json`. */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
}

/** A JWK Set, or a list of its keys. */
export type PublicKeys = { readonly keys: readonly PublicJwk[] } | readonly PublicJwk[];

const isList = (given: PublicKeys): given is readonly PublicJwk[] => Array.isArray(given);

export function findKey(given: PublicKeys, kid: unknown): PublicJwk | undefined {
  const keys = isList(given) ? given : given.keys;
  return keys.find((key) => key.kid === kid && key.kty === 'OKP' && key.crv === 'Ed25519');
}

/**
 * Whether the key made the signature. Throws if this runtime does not support Ed25519. Node supports it since
 * version 20, Chrome since 137, Firefox since 129 and Safari since 17.
 */
export async function isSignedBy(key: PublicJwk, signature: Bytes, content: Bytes): Promise<boolean> {
  const raw = fromBase64Url(key.x);
  if (raw?.byteLength !== 32 || signature.byteLength !== 64) return false;
  const imported = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  return await crypto.subtle.verify('Ed25519', imported, signature, content);
}
