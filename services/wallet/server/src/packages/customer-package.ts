// A customer's package: who may call for it, from where, and in what state it is.

export interface SealedAesKeys {
  readonly uid: string;
  readonly current: Buffer;
  readonly previous: { readonly sealed: Buffer; readonly until: Date } | undefined;
}

export type PackageState = 'pending' | 'approved' | 'suspended';

export type KeyPurpose = 'caller' | 'callback';

export type CallbackSecurity = 'headers' | 'signed' | 'encrypted';

export interface KeyPair {
  readonly id: bigint;
  readonly purpose: KeyPurpose;
  readonly apiKey: string;
  readonly secretHash: Buffer;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

export interface CustomerPackage {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly state: PackageState;
  readonly currency: string;
  /** A sandbox, with keys, players and play money of its own. */
  readonly sandbox: boolean;
  readonly domains: readonly string[];
  /** The provider's shared session may stand in for a private launch that cannot be had. */
  readonly sharedLaunch: boolean;
  readonly callerAddresses: readonly string[];
  readonly overdraftLimit: bigint;
  readonly alertThreshold: bigint;
  readonly keyPairs: readonly KeyPair[];
  readonly callbackSecurity: CallbackSecurity;
  readonly callbackAddresses: readonly string[];
  readonly aesKeys: SealedAesKeys;
}

/** Revoked is revoked, whatever a clock says that is behind the one it was done by. */
export function isLive(pair: KeyPair, now: Date): boolean {
  return !pair.revokedAt && !(pair.expiresAt && pair.expiresAt <= now);
}

/**
 * Whether an Origin header names a whitelisted host: exactly, or below a `*.domain`. Scheme and
 * port do not count; `null`, and whatever is no origin at all, is no host.
 */
export function isOriginAllowed(origin: string, domains: readonly string[]): boolean {
  const host = parseHost(origin);
  if (host === undefined) return false;
  return domains.some((domain) => {
    const known = domain.toLowerCase();
    return known.startsWith('*.') ? host.endsWith(known.slice(1)) : host === known;
  });
}

function parseHost(origin: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+$/i.test(origin) || !URL.canParse(origin))
    return undefined;
  // Read as http, because other schemes keep the host's letter case and internationalised form.
  const asHttp = origin.replace(/^[^:]*/, 'http');
  return URL.canParse(asHttp) ? new URL(asHttp).hostname : undefined;
}
