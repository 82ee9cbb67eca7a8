// The packages that the wallet registered, with callback address and credentials, in a private file.
import { join } from 'node:path';
import { PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import { openJsonFile } from '../json-file.ts';

/** A text that can be sent unchanged in a header. */
const HeaderText = Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' });

export const RegistrationBody = Type.Object({
  callback_url: Type.String({ maxLength: 2048, pattern: '^https?://[\\x21-\\x7e]+$' }),
  key: HeaderText,
  secret: HeaderText,
  security: Type.Enum(['headers', 'signed', 'encrypted']),
  aes_key: Type.Optional(Type.Union([PrintableText({ max: 64 }), Type.Null()])),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  active: Type.Boolean(),
});

export interface Registration {
  readonly uid: string;
  readonly callbackUrl: string;
  readonly key: string;
  readonly secret: string;
  readonly security: 'headers' | 'signed' | 'encrypted';
  readonly aesKey: string | null;
  readonly active: boolean;
}

export const Uid = HeaderText;

export function parseRegistration(uid: string, body: Static<typeof RegistrationBody>): Registration {
  const wrong = (field: string, sentence: string) =>
    fail('invalid_parameter', { errors: { [field]: [sentence] } });
  if (!URL.canParse(body.callback_url)) throw wrong('callback_url', 'is not a URL.');
  const aesKey = body.aes_key ?? null;
  if (body.security !== 'headers' && !isAesKey(aesKey)) {
    throw wrong('aes_key', 'must be base64 of 32 bytes.');
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

export interface PackageRegistry {
  find(uid: string): Registration | undefined;
  register(registration: Registration): Promise<void>;
}

export async function openPackageRegistry(dataDir: string): Promise<PackageRegistry> {
  const stored = await openJsonFile<Registration[]>(join(dataDir, 'packages.json'), []);
  const positions = new Map(stored.value.map(({ uid }, position) => [uid, position]));
  return {
    find: (uid) => {
      const position = positions.get(uid);
      return position === undefined ? undefined : stored.value[position];
    },
    register: async (registration) => {
      const position = positions.get(registration.uid) ?? stored.value.length;
      if (position >= maxPackages) throw fail('overloaded');
      stored.value[position] = registration;
      positions.set(registration.uid, position);
      await stored.save();
    },
  };
}
