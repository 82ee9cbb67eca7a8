// An API key of a workspace: its scopes, its states, and the fields that the panel shows.

import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

export const readScopes = ['account:read', 'items:read', 'purchases:validate'] as const;
export const writeScopes = ['items:write', 'purchases:write'] as const;
const activationScopes = ['activations:read', 'activations:write'] as const;
/** The default scopes of a test key: everything that test data supports. */
export const testScopes = [...readScopes, ...activationScopes] as const;
export const allScopes = [...readScopes, ...writeScopes, ...activationScopes] as const;
/**
 * The scopes of a publishable key. Such a key is shipped to buyers, so it can only validate and activate
 * codes of its item.
 */
export const publishableScopes = ['purchases:validate', 'activations:write'] as const;
export type Scope = (typeof allScopes)[number];

export interface ApiKey {
  readonly id: bigint;
  /** The workspace whose data the key gives access to; for a test key, the sandbox. */
  readonly workspaceId: bigint;
  readonly isTest: boolean;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly Scope[];
  /** The item that a publishable key is bound to. */
  readonly itemId: bigint | undefined;
  /**
   * Whether the key gets the answers for old plug-ins. In these answers, the purchase is repeated in a
   * top-level field `item`, and refusals have status 200.
   */
  readonly legacyItem: boolean;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

/** A key in the list of its workspace. */
export interface ListedApiKey extends ApiKey {
  readonly hint: string;
  readonly createdAt: Date;
  /** The id of the key that replaced this key in a rotation. */
  readonly replacedBy: bigint | undefined;
  readonly lastUsedAt: Date | undefined;
  readonly lastUsedAddress: string | undefined;
  /** When a web page last sent this key; recorded only for secret keys. */
  readonly pageSeenAt: Date | undefined;
  readonly pageOrigin: string | undefined;
}

/** How long a replaced key still works, in milliseconds. */
export const overlaps = {
  '0': 0,
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
} as const;
export type Overlap = keyof typeof overlaps;

/**
 * Whether the key gives the scope. A publishable key always has the fixed `publishableScopes`, because it is
 * shipped to buyers and must not get further scopes. Its stored scopes are ignored.
 */
export function hasScope(key: Pick<ApiKey, 'kind' | 'scopes'>, scope: Scope): boolean {
  const scopes: readonly Scope[] = key.kind === 'publishable' ? publishableScopes : key.scopes;
  return scopes.includes(scope);
}

export type KeyState = 'active' | 'revoked' | 'expired';

/**
 * Returns the state of a key. A key that is revoked and expired counts as revoked. A revocation takes effect
 * at once, even if its time is in the future: the clock of the process that revoked the key may be ahead.
 */
export function getKeyState(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt <= now) return 'expired';
  return 'active';
}

/** Makes the prefix of a key, which shows whether it is a test key. */
export const makePrefix = (key: Pick<ApiKey, 'kind' | 'isTest'>): string => {
  if (key.kind === 'secret') return key.isTest ? 'ck_test_' : 'ck_live_';
  return key.isTest ? 'ck_pub_test_' : 'ck_pub_';
};

/** Returns a text that identifies a key in a list: its prefix and its last four characters. */
export function makeHint(secret: string): string {
  const prefix = /^ck_(?:pub_test|[a-z]+)_/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.slice(-4)}`;
}

export const legacyItemMeaning =
  'For old plug-ins: validation also returns the purchase under a top-level `item`, with the fields that ' +
  'published clients read, and the four specified operations answer refusals ' +
  '(400, 403, 404) with status 200 and the same body.';

export const ApiKeyAnswer = NamedObject('ApiKey', {
  id: Type.Integer(),
  name: Type.String(),
  mode: Type.Enum(['live', 'test'], { description: 'A test key sees test data only.' }),
  kind: Type.Enum(['secret', 'publishable']),
  state: Type.Enum(['active', 'expired', 'revoked']),
  hint: Type.String({ description: 'The prefix and the last four characters of the key.' }),
  scopes: Type.Array(Type.String()),
  item_id: Type.Optional(Type.Integer({ description: 'The item that a publishable key is bound to.' })),
  legacy_item: Type.Boolean({ description: legacyItemMeaning }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.Optional(Type.String({ format: 'date-time' })),
  revoked_at: Type.Optional(Type.String({ format: 'date-time' })),
  replaced_by: Type.Optional(Type.Integer({ description: 'The key that replaced it.' })),
  last_used: Type.Optional(Type.Object({ at: Type.String({ format: 'date-time' }), address: Type.String() })),
  seen_on_page: Type.Optional(
    Type.Object(
      {
        at: Type.String({ format: 'date-time', description: 'The time of the last such request.' }),
        origin: Type.String({ description: 'The Origin header of the last such request.' }),
      },
      {
        description:
          'A web page sent this secret key, so its visitors can read it. Replace it by a publishable key.',
      },
    ),
  ),
});

export const presentApiKey = (key: ListedApiKey, now: Date) => ({
  id: Number(key.id),
  name: key.name,
  mode: key.isTest ? ('test' as const) : ('live' as const),
  kind: key.kind,
  state: getKeyState(key, now),
  hint: key.hint,
  scopes: key.kind === 'publishable' ? [...publishableScopes] : [...key.scopes],
  ...(key.itemId !== undefined && { item_id: Number(key.itemId) }),
  legacy_item: key.legacyItem,
  created_at: presentTime(key.createdAt),
  ...(key.expiresAt && { expires_at: presentTime(key.expiresAt) }),
  ...(key.revokedAt && { revoked_at: presentTime(key.revokedAt) }),
  ...(key.replacedBy !== undefined && { replaced_by: Number(key.replacedBy) }),
  ...(key.lastUsedAt && {
    last_used: { at: presentTime(key.lastUsedAt), address: key.lastUsedAddress ?? '' },
  }),
  ...(key.pageSeenAt && { seen_on_page: { at: presentTime(key.pageSeenAt), origin: key.pageOrigin ?? '' } }),
});
