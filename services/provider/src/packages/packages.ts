// The packages that the wallet registered, with callback address and credentials, in a private file.
import { join } from 'node:path';
import { PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { fail, invalidField } from '../errors.ts';
import { openJsonFile } from '../json-file.ts';

/** A text that can be sent unchanged in a header. */
const headerText = () => Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' });

export const HeaderText = headerText();

/** An address to which the stand-in sends calls. */
export const CallUrl = Type.String({ maxLength: 2048, pattern: '^https?://[\\x21-\\x7e]+$' });

export const RegistrationBody = Type.Object({
  callback_url: CallUrl,
  key: HeaderText,
  secret: HeaderText,
  security: Type.Enum(['headers', 'signed', 'encrypted']),
  aes_key: Type.Optional(Type.Union([PrintableText({ max: 64 }), Type.Null()])),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  active: Type.Boolean(),
});

export const Uid = headerText();

export type Registration = ReturnType<typeof parseRegistration>;

export function parseRegistration(uid: string, body: Static<typeof RegistrationBody>) {
  if (!URL.canParse(body.callback_url)) throw invalidField('callback_url', 'is not a URL.');
  const aesKey = body.aes_key ?? null;
  if (body.security !== 'headers' && !isAesKey(aesKey)) {
    throw invalidField('aes_key', 'must be base64 of 32 bytes.');
  }
  return {
    uid,
    callbackUrl: body.callback_url,
    key: body.key,
    secret: body.secret,
    security: body.security,
    aesKey,
    active: body.active,
  };
}

const isAesKey = (key: string | null) =>
  key !== null && /^[A-Za-z0-9+/]{43}=$/.test(key) && Buffer.from(key, 'base64').length === 32;

const maxPackages = 10_000;

export type PackageRegistry = Awaited<ReturnType<typeof openPackageRegistry>>;

export async function openPackageRegistry(dataDir: string) {
  const stored = await openJsonFile<Registration[]>(join(dataDir, 'packages.json'), []);
  const positions = new Map(stored.value.map(({ uid }, position) => [uid, position]));
  return {
    find: (uid: string): Registration | undefined => {
      const position = positions.get(uid);
      return position === undefined ? undefined : stored.value[position];
    },
    register: async (registration: Registration): Promise<void> => {
      const position = positions.get(registration.uid) ?? stored.value.length;
      if (position >= maxPackages) throw fail('overloaded');
      stored.value[position] = registration;
      positions.set(registration.uid, position);
      await stored.save();
    },
  };
}
