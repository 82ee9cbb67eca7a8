// An API key of a workspace: what it may do, and until when.

export const readScopes = ['account:read', 'items:read', 'purchases:validate'] as const;
export const writeScopes = ['items:write', 'purchases:write'] as const;
export type Scope = (typeof readScopes)[number] | (typeof writeScopes)[number];

export interface ApiKey {
  readonly id: bigint;
  readonly workspaceId: bigint;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly Scope[];
  /** The one item that a publishable key is bound to. */
  readonly itemId: bigint | undefined;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

export type KeyState = 'active' | 'revoked' | 'expired';

/** Revoked wins over expired: it was somebody's decision. */
export function getKeyState(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Date): KeyState {
  if (key.revokedAt && key.revokedAt <= now) return 'revoked';
  if (key.expiresAt && key.expiresAt <= now) return 'expired';
  return 'active';
}

/** Enough to recognise a key in a list: its prefix and its last four characters. */
export function makeHint(secret: string): string {
  const prefix = /^ck_[a-z]+_/.exec(secret)?.[0] ?? '';
  return `${prefix}…${secret.slice(-4)}`;
}
