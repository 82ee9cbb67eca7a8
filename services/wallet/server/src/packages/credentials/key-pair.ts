// A key pair of a package as answers show it, and how long a replaced pair stays valid.

import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import type { KeyPair } from '../customer-package.ts';

export interface ListedPair extends Omit<KeyPair, 'secretHash'> {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | undefined;
}

type PairState = 'active' | 'retiring' | 'expired' | 'revoked';

/** A pair that was revoked before its expiry stays `revoked` after the expiry. */
export function getPairState(pair: Pick<ListedPair, 'expiresAt' | 'revokedAt'>, now: Date): PairState {
  if (pair.revokedAt) return 'revoked';
  if (!pair.expiresAt) return 'active';
  return pair.expiresAt <= now ? 'expired' : 'retiring';
}

const Time = Type.String({ format: 'date-time' });

export const PairPurpose = Type.Enum(['caller', 'callback']);

export const PairAnswer = named(
  'KeyPair',
  Type.Object({
    id: Type.Integer(),
    purpose: PairPurpose,
    api_key: Type.String(),
    state: Type.Enum(['active', 'retiring', 'expired', 'revoked'], {
      description: '`retiring`: the pair was replaced and is valid until `expires_at`.',
    }),
    created_at: Time,
    last_used_at: Nullable(Time, {
      description: 'Time of the last use, to the minute; null before the first.',
    }),
    expires_at: Nullable(Time),
    revoked_at: Nullable(Time),
  }),
);

export const presentPair = (pair: ListedPair, now: Date) => ({
  id: Number(pair.id),
  purpose: pair.purpose,
  api_key: pair.apiKey,
  state: getPairState(pair, now),
  created_at: pair.createdAt.toISOString(),
  last_used_at: pair.lastUsedAt?.toISOString() ?? null,
  expires_at: pair.expiresAt?.toISOString() ?? null,
  revoked_at: pair.revokedAt?.toISOString() ?? null,
});

/** A pair with its secret, which is shown once. */
export const IssuedPairAnswer = named(
  'IssuedKeyPair',
  Type.Object({ api_key: Type.String(), api_secret: Type.String() }),
);

export const presentIssuedPair = (pair: { apiKey: string; apiSecret: string }) => ({
  api_key: pair.apiKey,
  api_secret: pair.apiSecret,
});

const overlaps = {
  '0': 0,
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
} as const;

export type Overlap = keyof typeof overlaps;

export const overlapNames = Object.keys(overlaps) as Overlap[];

export const defaultOverlap: Overlap = '24h';

export const endOfOverlap = (overlap: Overlap, at: Date): Date => new Date(at.getTime() + overlaps[overlap]);
