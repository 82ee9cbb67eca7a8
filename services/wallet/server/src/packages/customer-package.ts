// A customer's package: its state, its key pairs, and the origins and IP addresses from which it accepts
// calls.
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

export interface PackageSettings {
  readonly name: string;
  readonly domains: readonly string[];
  readonly callerAddresses: readonly string[];
  readonly callbackAddresses: readonly string[];
  readonly alertThreshold: bigint;
  readonly overdraftLimit: bigint;
  /** The largest bet that any player of the package may place; undefined if there is no limit. */
  readonly maxStake: bigint | undefined;
  readonly callbackSecurity: CallbackSecurity;
  /** Whether a launch may use the provider's shared session if the private launch is unavailable. */
  readonly sharedLaunch: boolean;
}

export interface CustomerPackage extends PackageSettings {
  readonly id: number;
  readonly uid: string;
  readonly state: PackageState;
  readonly currency: string;
  /**
   * The number of decimals of the package's amounts: at least the decimals of the currency, and at most 8.
   */
  readonly decimals: number;
  /** A sandbox has separate keys and players, and play money. */
  readonly sandbox: boolean;
  readonly keyPairs: readonly KeyPair[];
  readonly aesKeys: SealedAesKeys;
}

/** A revoked pair is never live, even if the clock of this process shows a time before the revocation. */
export function isLive(pair: KeyPair, now: Date): boolean {
  return !pair.revokedAt && !(pair.expiresAt && pair.expiresAt <= now);
}

interface StakeLimit {
  readonly maxStake: bigint | undefined;
}

/** The smaller of the package's limit and the player's limit; undefined if neither has a limit. */
export function findMaxStake(ofPackage: StakeLimit, ofPlayer: StakeLimit | undefined): bigint | undefined {
  const [most, own] = [ofPackage.maxStake, ofPlayer?.maxStake];
  if (most === undefined || own === undefined) return own ?? most;
  return own < most ? own : most;
}

/** A request may name the package's currency, and no other. */
export function checkCurrency(sent: { currency?: string | null }, { currency }: { currency: string }): void {
  if ((sent.currency ?? currency) === currency) return;
  const sentence = `must be ${currency}, the package's currency.`;
  throw fail('currency_mismatch', { errors: { currency: [sentence] } });
}

/**
 * Whether an Origin header names a whitelisted host, or a subdomain of a whitelisted `*.domain`.
 * Scheme and port are ignored. `null` and texts that are not an origin match no host.
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
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+$/i.test(origin) || !URL.canParse(origin)) return undefined;
  // The origin is parsed as an http URL. In URLs of other schemes, the parser does not normalise letter case
  // and international names.
  const asHttp = origin.replace(/^[^:]*/, 'http');
  return URL.canParse(asHttp) ? new URL(asHttp).hostname : undefined;
}
