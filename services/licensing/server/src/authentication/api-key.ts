// An API key of a workspace: its scopes, its life, and its form in the panel.

import { presentTime } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

export const readScopes = ['account:read', 'items:read', 'purchases:validate'] as const;
export const writeScopes = ['items:write', 'purchases:write'] as const;
const activationScopes = ['activations:read', 'activations:write'] as const;
/** The default scopes of a test key: everything that test data supports. */
export const testScopes = [...readScopes, ...activationScopes] as const;
export const allScopes = [...readScopes, ...writeScopes, ...activationScopes] as const;
/** A publishable key is shipped to buyers, so it can only validate and activate codes of its item. */
export const publishableScopes = ['purchases:validate', 'activations:write'] as const;
export type Scope = (typeof allScopes)[number];

export interface ApiKey {
  readonly id: bigint;
  /** The workspace whose data it opens; for a test key, the sandbox. */
  readonly workspaceId: bigint;
  readonly isTest: boolean;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly Scope[];
  /** The item that a publishable key is bound to. */
  readonly itemId: bigint | undefined;
  /** For old plug-ins: the purchase is under a top-level `item` too, and refusals have status 200. */
  readonly legacyItem: boolean;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

/** A key as its workspace sees it. */
export interface ListedApiKey extends ApiKey {
  readonly hint: string;
  readonly createdAt: Date;
  /** The key that replaced it in a rotation. */
  readonly replacedBy: bigint | undefined;
  readonly lastUsed: { readonly at: Date; readonly address: string } | undefined;
  /** The last web page that sent it, if it is a secret key. */
  readonly seenOnPage: { readonly at: Date; readonly origin: string } | undefined;
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

export type KeyState = 'active' | 'revoked' | 'expired';

/**
 * Revoked takes precedence over expired. The time of the revocation does not matter: the clock of the
 * process that revoked the key may be ahead.
 */
export function getKeyState(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt <= now) return 'expired';
  return 'active';
}

/** The prefix shows whether a key is a test key. */
export const makePrefix = (key: Pick<ApiKey, 'kind' | 'isTest'>): string => {
  if (key.kind === 'secret') return key.isTest ? 'ck_test_' : 'ck_live_';
  return key.isTest ? 'ck_pub_test_' : 'ck_pub_';
};

/** Identifies a key in a list: its prefix and its last four characters. */
export function makeHint(secret: string): string {
  const prefix = /^ck_(?:pub_test|[a-z]+)_/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.slice(-4)}`;
}

export const legacyItemMeaning =
  'For old plug-ins: validation also gives the purchase under a top-level `item`, with the fields that ' +
  'published clients read, and the four specified operations answer refusals ' +
  '(400, 403, 404) with 200 and the same body.';

export const ApiKeyAnswer = named(
  'ApiKey',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    mode: Type.Enum(['live', 'test'], { description: 'A test key sees test data alone.' }),
    kind: Type.Enum(['secret', 'publishable']),
    state: Type.Enum(['active', 'expired', 'revoked']),
    hint: Type.String({ description: 'Enough to recognise the key, useless to an attacker.' }),
    scopes: Type.Array(Type.String()),
    item_id: Type.Optional(Type.Integer({ description: 'Of a publishable key.' })),
    legacy_item: Type.Boolean({ description: legacyItemMeaning }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.Optional(Type.String({ format: 'date-time' })),
    revoked_at: Type.Optional(Type.String({ format: 'date-time' })),
    replaced_by: Type.Optional(Type.Integer({ description: 'The key that took its place.' })),
    last_used: Type.Optional(
      Type.Object({ at: Type.String({ format: 'date-time' }), address: Type.String() }),
    ),
    seen_on_page: Type.Optional(
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'The last time.' }),
          origin: Type.String({ description: 'The site of the page, by its Origin header.' }),
        },
        {
          description:
            'A web page sent this secret key, so its visitors have it. Replace it by a publishable key.',
        },
      ),
    ),
  }),
);

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
  ...(key.lastUsed && {
    last_used: { at: presentTime(key.lastUsed.at), address: key.lastUsed.address },
  }),
  ...(key.seenOnPage && {
    seen_on_page: { at: presentTime(key.seenOnPage.at), origin: key.seenOnPage.origin },
  }),
});
