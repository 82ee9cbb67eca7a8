// Verifies an offline licence that a buyer's program presents to the service.
import { createPublicKey, verify } from 'node:crypto';
import { getSigningKeyState, presentJwk } from '../signing-keys/signing-key.ts';
import type { SigningKeyFinder } from '../signing-keys/signing-key-finder.ts';
import { licenceType, type makeClaims } from './licence.ts';

export const maxLicenceLength = 4096;
const licenceForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether a text is a licence. A purchase code has at most 128 characters, and a licence always has more. */
export const isLicence = (text: string): boolean =>
  text.length > 128 && text.length <= maxLicenceLength && licenceForm.test(text);

type Claims = ReturnType<typeof makeClaims>;

const parsePart = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/**
 * Returns the claims. Returns undefined if no public key of the workspace verifies the signature of the
 * licence.
 */
export async function readLicence(
  deps: { readonly signingKeys: SigningKeyFinder; readonly now: () => Date },
  workspaceId: bigint,
  licence: string,
): Promise<Claims | undefined> {
  const [header = '', claims = '', signature = ''] = licence.split('.');
  const { alg, kid, typ } = (parsePart(header) ?? {}) as Record<string, unknown>;
  if (alg !== 'EdDSA' || typ !== licenceType) return undefined;
  const key = (await deps.signingKeys.get(workspaceId))?.keys.find((each) => each.kid === kid);
  if (!key || getSigningKeyState(key, { current: undefined, now: deps.now() }) === 'retired')
    return undefined;
  const publicKey = createPublicKey({ key: { ...presentJwk(key) }, format: 'jwk' });
  const content = Buffer.from(`${header}.${claims}`);
  const isGenuine = verify(null, content, publicKey, Buffer.from(signature, 'base64url'));
  return isGenuine ? (parsePart(claims) as Claims) : undefined;
}
