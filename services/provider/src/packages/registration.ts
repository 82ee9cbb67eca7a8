// A customer's package as the wallet registered it: where callbacks go and how they are secured.
import { PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';

/** Goes into a header as it is. */
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

export function parseRegistration(
  uid: string,
  body: Static<typeof RegistrationBody>,
): Registration {
  const wrong = (field: string, sentence: string) =>
    fail('invalid_parameter', { errors: { [field]: [sentence] } });
  if (!URL.canParse(body.callback_url)) throw wrong('callback_url', 'is no address.');
  const aesKey = body.aes_key ?? null;
  if (body.security !== 'headers' && !isAesKey(aesKey)) {
    throw wrong('aes_key', 'must be base64 of 32 bytes.');
  }
  return {
    uid,
    callbackUrl: body.callback_url,
    key: body.key,
    secret: body.secret,
    security: body.security as Registration['security'],
    aesKey,
    active: body.active,
  };
}

const isAesKey = (key: string | null) =>
  key !== null && /^[A-Za-z0-9+/]{43}=$/.test(key) && Buffer.from(key, 'base64').length === 32;
