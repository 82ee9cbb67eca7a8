// A token by which a program acts for the platform's administrators.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';

export interface AdminToken {
  readonly id: bigint;
  readonly name: string;
  readonly hint: string;
  /** The person who created the token; undefined if the token was created at the command line. */
  readonly createdBy: bigint | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  readonly lastUsedAt: Date | undefined;
}

export const tokenPrefix = 'cfa_';
export const tokenForm = /^cfa_[\w-]{43}$/;

export const TokenName = PrintableText({ min: 1, max: 100, examples: ['billing'] });

const timeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const AdminTokenAnswer = named(
  'AdminToken',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    hint: Type.String({ description: 'The last four characters of the token.' }),
    state: Type.Enum(['active', 'expired', 'revoked']),
    created_by: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The id of a person; null for a token that was created at the command line.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: timeOrNull,
    revoked_at: timeOrNull,
    last_used_at: timeOrNull,
  }),
);

export function getTokenState(token: AdminToken, now: Date): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt) return 'revoked';
  return token.expiresAt && token.expiresAt <= now ? 'expired' : 'active';
}

export const presentAdminToken = (token: AdminToken, now: Date) => ({
  id: Number(token.id),
  name: token.name,
  hint: token.hint,
  state: getTokenState(token, now),
  created_by: token.createdBy === undefined ? null : Number(token.createdBy),
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  revoked_at: token.revokedAt?.toISOString() ?? null,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});
