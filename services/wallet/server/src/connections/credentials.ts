// The credentials of each dialect: their names, their form, and the part that people see.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { FieldErrors } from '@counterfoil/kit/http/errors';
import { isPrintableWithin, ProseText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { Dialect, DialectName, Secrets } from './dialects/dialect.ts';

/**
 * Values that are needed only for requests to the provider. They are stored together with the credentials.
 */
const outwardNames: Readonly<Record<DialectName, readonly string[]>> = {
  valkyrie: [],
  softswiss: ['casino_id'],
  hub88: ['operator_id', 'sub_partner_id'],
  slotegrator: [],
};

const maxLength = 8192;
const textLength = { min: 1, max: 256 };
/** The minimum length is 6 characters, because an attacker could guess a shorter secret by trying. */
const secretLength = { min: 6, max: 256 };
const minRsaBits = 2048;

const field = (description: string) => Type.Optional(ProseText({ max: maxLength, description }));

/** The credentials of all dialects. Each dialect accepts only its own credentials. */
export const Credentials = Type.Object(
  {
    token: field('valkyrie: generated if it is absent. softswiss: the token that the provider issued.'),
    recon_token: field("valkyrie: Red Tiger's reconciliation token; generated if it is absent."),
    casino_id: field('softswiss: your casino id, for the list of games and launches.'),
    provider_public_key_pem: field("hub88: the provider's RSA public key."),
    private_key_pem: field('hub88: our RSA private key; generated if it is absent.'),
    operator_id: field('hub88: your operator id, for the list of games and launches.'),
    sub_partner_id: field('hub88: the id of your brand.'),
    merchant_id: field("slotegrator: the provider's merchant ID."),
    merchant_key: field("slotegrator: the provider's merchant key."),
  },
  { description: 'Credentials that the provider issued, and ours if they exist already.' },
);

/** Refuses credentials of other dialects and credentials without the right form. */
export function checkCredentials({ name: dialect, secrets }: Dialect, given: Secrets): void {
  const known = new Set([...Object.keys(secrets), ...outwardNames[dialect]]);
  const problems: FieldErrors = {};
  for (const [name, value] of Object.entries(given)) {
    const problem = known.has(name) ? findProblem(name, value) : `is not a credential of ${dialect}.`;
    if (problem) problems[`secrets.${name}`] = [problem];
  }
  if (Object.keys(problems).length > 0) throw fail('invalid_parameter', { errors: problems });
}

function findProblem(name: string, value: string): string | undefined {
  if (name.endsWith('_pem')) {
    const isPrivate = name === 'private_key_pem';
    if (isRsaKey(isPrivate ? createPrivateKey : createPublicKey, value, isPrivate)) return undefined;
    const kind = isPrivate ? 'private' : 'public';
    return `must be an RSA ${kind} key in PEM format, of at least ${minRsaBits} bits.`;
  }
  const { min, max } = name.endsWith('_id') ? textLength : secretLength;
  const isSound = isPrintableWithin(value, { min, max }) && value === value.trim();
  return isSound ? undefined : `needs ${min} to ${max} printable characters, without spaces at the ends.`;
}

function isRsaKey(importKey: (pem: string) => KeyObject, pem: string, isPrivate: boolean): boolean {
  // `createPublicKey` would also accept a private key, which the provider must not send.
  if (pem.includes('PRIVATE KEY') !== isPrivate) return false;
  try {
    const key = importKey(pem);
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits;
  } catch {
    return false;
  }
}

/** Returns the credentials that are shown once. Instead of a private key, people see its public key. */
export function presentCredentials({
  private_key_pem: privateKey,
  ...shown
}: Secrets): Record<string, string> {
  if (privateKey === undefined) return shown;
  const key = createPublicKey(createPrivateKey(privateKey));
  return { ...shown, public_key_pem: key.export({ type: 'spki', format: 'pem' }).toString() };
}
