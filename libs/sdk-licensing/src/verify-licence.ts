// Verifies an offline licence with nothing but the public keys of the workspace.
import { fromBase64Url, toBytes } from '../../sdk-shared/src/bytes.ts';
import { findKey, isSignedBy, type PublicKeys } from './ed25519.ts';

/** The claims of a licence. */
export interface LicenceClaims {
  readonly iss: string;
  /** The id of the purchase. */
  readonly sub: string;
  readonly item_id: number;
  readonly license_type: 'Regular' | 'Extended';
  /** The normalised host; absent in the licence of a machine. */
  readonly domain?: string;
  readonly machine_id?: string;
  /** The end of support; absent without support. */
  readonly supported_until?: string;
  /** The end of the licence; absent if it never ends. */
  readonly license_until?: string;
  /** The id of the purchase code in revocation lists. */
  readonly code_id: string;
  /** When the licence was issued and when it expires, in seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  /** The grace period in seconds. */
  readonly grace: number;
}

export type LicenceRefusal =
  | 'malformed'
  | 'unknown_key'
  | 'signature_invalid'
  | 'wrong_item'
  | 'wrong_host'
  | 'not_yet_valid'
  | 'expired'
  | 'revocations_invalid'
  | 'revoked';

export type LicenceVerdict =
  | {
      readonly valid: true;
      /**
       * Whether the licence is accepted only because of its grace period. If true, get a new licence soon.
       */
      readonly inGrace: boolean;
      readonly claims: LicenceClaims;
    }
  | { readonly valid: false; readonly reason: LicenceRefusal };

export interface LicenceCheck {
  readonly keys: PublicKeys;
  /** The host of this installation, in any spelling. Give either the host or the machine. */
  readonly domain?: string;
  readonly machineId?: string;
  /** If given, a licence of another item is refused. */
  readonly itemId?: number;
  /** The signed revocation list of the workspace. Without it, no licence counts as revoked. */
  readonly revocations?: string;
  /** The clock difference that is always accepted. The default is 5 minutes. */
  readonly toleranceSeconds?: number;
  /** Replaces the grace period of the licence. */
  readonly graceSeconds?: number;
  readonly now?: Date;
}

const refuse = (reason: LicenceRefusal) => ({ valid: false, reason }) as const;

/**
 * Verifies a licence without calling the service. An invalid licence causes no error: the verdict contains
 * the reason.
 */
export async function verifyLicence(licence: string, check: LicenceCheck): Promise<LicenceVerdict> {
  const opened = await openJws(licence.trim(), 'counterfoil-licence+jwt', check.keys);
  if (typeof opened === 'string') return refuse(opened);
  const claims = opened as unknown as LicenceClaims;
  if (!isWhole(claims)) return refuse('malformed');
  if (check.itemId !== undefined && claims.item_id !== check.itemId) return refuse('wrong_item');
  if (!isFor(claims, check)) return refuse('wrong_host');
  if (check.revocations !== undefined) {
    const list = await openJws(check.revocations.trim(), 'counterfoil-revocations+jwt', check.keys);
    if (typeof list === 'string' || !Array.isArray(list.revoked)) return refuse('revocations_invalid');
    if (list.revoked.includes(claims.code_id)) return refuse('revoked');
  }
  return checkTimes(claims, check);
}

/**
 * The grace period applies to both ends of a licence. A licence that has expired is accepted for this time.
 * A licence is also accepted if the clock of this machine is behind the issue of the licence by at most this
 * time.
 */
function checkTimes(claims: LicenceClaims, check: LicenceCheck): LicenceVerdict {
  const { toleranceSeconds = 300, graceSeconds = claims.grace } = check;
  const now = (check.now ?? new Date()).getTime() / 1000;
  const early = claims.iat - now - toleranceSeconds;
  const late = now - claims.exp - toleranceSeconds;
  if (early > graceSeconds) return refuse('not_yet_valid');
  if (late >= graceSeconds) return refuse('expired');
  return { valid: true, inGrace: early > 0 || late >= 0, claims };
}

const isWhole = (claims: LicenceClaims) =>
  [claims.iat, claims.exp, claims.grace, claims.item_id].every(Number.isSafeInteger) &&
  typeof claims.code_id === 'string';

function isFor(claims: LicenceClaims, { domain, machineId }: LicenceCheck): boolean {
  if (domain !== undefined) return claims.domain !== undefined && claims.domain === normaliseHost(domain);
  return machineId !== undefined && claims.machine_id === machineId.trim();
}

/** Returns `shop.example` for `https://www.Shop.Example:8443/a?b`, as the service does. */
function normaliseHost(given: string): string | undefined {
  const [authority = ''] = given
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}/i, '')
    .split(/[/?#\\]/);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isIpv6 = !host.startsWith('[') && (host.match(/:/g)?.length ?? 0) > 1;
  const url = `http://${isIpv6 ? `[${host}]` : host}/`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
}

type Claims = Readonly<Record<string, unknown>>;

/** Opens a compact JWS. `alg` is fixed, so the JWS cannot choose a weaker algorithm. */
async function openJws(
  jws: string,
  typ: string,
  keys: PublicKeys,
): Promise<Claims | 'malformed' | 'unknown_key' | 'signature_invalid'> {
  const [head = '', body = '', end = '', ...more] = jws.split('.');
  const header = parse(head);
  const signature = fromBase64Url(end);
  if (more.length > 0 || !signature || header?.alg !== 'EdDSA' || header.typ !== typ) return 'malformed';
  const key = findKey(keys, header.kid);
  if (!key) return 'unknown_key';
  if (!(await isSignedBy(key, signature, toBytes(`${head}.${body}`)))) return 'signature_invalid';
  return parse(body) ?? 'malformed';
}

function parse(part: string): Claims | undefined {
  const bytes = fromBase64Url(part);
  if (!bytes) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Claims)
      : undefined;
  } catch {
    return undefined;
  }
}
