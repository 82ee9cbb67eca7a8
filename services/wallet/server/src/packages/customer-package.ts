// A customer's package: its state, its key pairs, and the origins and addresses that may call for it.
import { fail } from '../errors.ts';

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
  /** A sandbox has its own keys, players and play money. */
  readonly sandbox: boolean;
  readonly domains: readonly string[];
  /** Whether a launch may use the provider's shared session when the private launch is unavailable. */
  readonly sharedLaunch: boolean;
  readonly callerAddresses: readonly string[];
  readonly overdraftLimit: bigint;
  readonly alertThreshold: bigint;
  readonly keyPairs: readonly KeyPair[];
  readonly callbackSecurity: CallbackSecurity;
  readonly callbackAddresses: readonly string[];
  readonly aesKeys: SealedAesKeys;
}

/** A revocation counts at once, also by a clock that is behind that of the revoking process. */
export function isLive(pair: KeyPair, now: Date): boolean {
  return !pair.revokedAt && !(pair.expiresAt && pair.expiresAt <= now);
}

/** A request may name the package's currency, and no other. */
export function checkCurrency(
  sent: { currency?: string | null },
  { currency }: { currency: string },
): void {
  if ((sent.currency ?? currency) === currency) return;
  const sentence = `must be ${currency}, the package's currency.`;
  throw fail('currency_mismatch', { errors: { currency: [sentence] } });
}

/**
 * Whether an Origin header names a whitelisted host: exactly, or below a `*.domain`. Scheme and
 * port do not count. `null` and texts that are no origin match no host.
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
  // Parsed as http, because URLs of other schemes leave letter case and international names as they are.
  const asHttp = origin.replace(/^[^:]*/, 'http');
  return URL.canParse(asHttp) ? new URL(asHttp).hostname : undefined;
}
