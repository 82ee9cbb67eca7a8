// An Ed25519 key of a workspace. It signs offline licences, revocation lists and answers.
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type MasterKey, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

export const signingKeyStates = ['next', 'current', 'retiring', 'retired'] as const;
export type SigningKeyState = (typeof signingKeyStates)[number];

export interface SigningKey {
  readonly workspaceId: bigint;
  readonly id: bigint;
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly publicKey: Buffer;
  readonly privateKeySealed: Buffer;
  readonly createdAt: Date;
  readonly signsFrom: Date;
  /** The end of the overlap; undefined if the key was not rotated. */
  readonly publishedUntil: Date | undefined;
}

/** Binds the sealed key to its row, so that the keys of two workspaces cannot be swapped. */
const contextOf = (key: Pick<SigningKey, 'workspaceId' | 'kid'>) =>
  `signing_key:${key.workspaceId}:${key.kid}`;

const makeKid = (x: string): string =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');

/** Generates a key pair, and returns the private key only in sealed form. */
export function makeSigningKey(masterKey: MasterKey, workspaceId: bigint) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const kid = makeKid(x);
  const privateKeySealed = seal(masterKey, { plain: d, context: contextOf({ workspaceId, kid }) });
  return { workspaceId, kid, publicKey: Buffer.from(x, 'base64url'), privateKeySealed };
}

export function openPrivateKey(masterKey: MasterKey, key: SigningKey): KeyObject {
  const d = unseal(masterKey, { sealed: key.privateKeySealed, context: contextOf(key) });
  const x = key.publicKey.toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' });
}

/** The key that signs now: the key with the latest `signsFrom` that is not in the future. */
export function findCurrentKey<Key extends Pick<SigningKey, 'id' | 'signsFrom'>>(
  keys: readonly Key[],
  now: Date,
): Key | undefined {
  const isLater = (a: Key, b: Key) =>
    a.signsFrom > b.signsFrom || (a.signsFrom.getTime() === b.signsFrom.getTime() && a.id > b.id);
  return keys
    .filter((key) => key.signsFrom <= now)
    .reduce<Key | undefined>((best, key) => (best && !isLater(key, best) ? best : key), undefined);
}

/** The state of a key, given the key that signs now. */
export function getSigningKeyState(
  key: Pick<SigningKey, 'id' | 'signsFrom' | 'publishedUntil'>,
  { current, now }: { current: Pick<SigningKey, 'id'> | undefined; now: Date },
): SigningKeyState {
  if (key.id === current?.id) return 'current';
  if (key.publishedUntil && key.publishedUntil <= now) return 'retired';
  return key.signsFrom > now ? 'next' : 'retiring';
}

/** A private key that is ready to sign, and its id. */
export interface Signer {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes a compact JWS (RFC 7515). `typ` keeps a licence from being used as a revocation list. */
export function signJws({ kid, privateKey }: Signer, typ: string, claims: object): string {
  const content = `${encode({ alg: 'EdDSA', kid, typ })}.${encode(claims)}`;
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
}

export const Jwk = NamedObject('SigningJwk', {
  kty: Type.Literal('OKP', { description: 'The key type of RFC 8037.' }),
  crv: Type.Literal('Ed25519', { description: 'The curve.' }),
  x: Type.String({ description: 'The public key, in base64url.' }),
  kid: Type.String({ description: 'The id of the key: its RFC 7638 thumbprint.' }),
  use: Type.Literal('sig', { description: 'The key signs.' }),
  alg: Type.Literal('EdDSA', { description: 'The algorithm.' }),
});

export const presentJwk = ({ publicKey, kid }: Pick<SigningKey, 'publicKey' | 'kid'>) => ({
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  x: publicKey.toString('base64url'),
  kid,
  use: 'sig' as const,
  alg: 'EdDSA' as const,
});

export const SigningKeyAnswer = NamedObject('SigningKey', {
  id: Type.Integer(),
  kid: Type.String({ description: 'The id in the header of a licence: the RFC 7638 thumbprint.' }),
  state: Type.Enum([...signingKeyStates], {
    description:
      '`next` is public and signs later, `current` signs, `retiring` is public during its overlap, ' +
      '`retired` is no longer public.',
  }),
  public_jwk: Jwk,
  created_at: Type.String({ format: 'date-time' }),
  signs_from: Type.String({ format: 'date-time', description: 'When the key begins to sign.' }),
  published_until: Type.String({ description: 'The end of the overlap; "" if the key was not rotated.' }),
});

export const presentSigningKeys = (keys: readonly SigningKey[], now: Date) => {
  const current = findCurrentKey(keys, now);
  return keys.map((key) => ({
    id: Number(key.id),
    kid: key.kid,
    state: getSigningKeyState(key, { current, now }),
    public_jwk: presentJwk(key),
    created_at: presentTime(key.createdAt),
    signs_from: presentTime(key.signsFrom),
    published_until: key.publishedUntil ? presentTime(key.publishedUntil) : '',
  }));
};
