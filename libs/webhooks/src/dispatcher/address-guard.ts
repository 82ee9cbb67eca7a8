// Allows webhooks to public IP addresses only. The IP address of a host name is checked when the connection
// is opened.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export type AddressGuard = ReturnType<typeof createAddressGuard>;

/** Thrown if a host name has an address that is not public. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/**
 * The refused IPv4 ranges: private, shared, loopback, link-local, documentation, benchmarks, multicast,
 * reserved (RFC 6890).
 */
const refusedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * The refused IPv6 ranges within 2000::/3: special purposes, documentation, and tunnels that contain an IPv4
 * address.
 */
const refusedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blocked = new BlockList();
const routedV6 = new BlockList();
for (const range of refusedV4) addRange(blocked, range, 'ipv4');
for (const range of refusedV6) addRange(blocked, range, 'ipv6');
addRange(routedV6, '2000::/3', 'ipv6');

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits] = range.split('/');
  list.addSubnet(net, Number(bits), family);
}

/**
 * Whether an address is public. Public IPv6 addresses are in 2000::/3. Loopback, ULA, link-local and mapped
 * IPv4 addresses are outside this range.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%')[0] ?? '';
  const version = isIP(plain);
  if (version === 4) return !blocked.check(plain, 'ipv4');
  return version === 6 && routedV6.check(plain, 'ipv6') && !blocked.check(plain, 'ipv6');
}

const resolveByName: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Creates the guard. `allowLocal` accepts http and every address, for development on one machine. */
export function createAddressGuard(options: { allowLocal: boolean; resolve?: Resolve }) {
  const { allowLocal, resolve = resolveByName } = options;
  const check = async (host: string): Promise<readonly LookupAddress[]> => {
    const found = await resolve(host);
    // All addresses of a host name must be public, because an attacker can give one host name public and
    // private addresses.
    if (found.length > 0 && (allowLocal || found.every((each) => isPublicAddress(each.address)))) {
      return found;
    }
    throw new RefusedAddressError('the host name has an address that is not public');
  };
  /** Looks up a host for a connection. It returns only addresses that passed the check, or fails. */
  const lookupChecked: LookupFunction = (host, wanted, done) => {
    check(host).then(
      (found) => {
        const [first] = found;
        if (wanted.all) done(null, [...found]);
        else done(null, first?.address ?? '', first?.family ?? 4);
      },
      (error) => done(error, '', 4),
    );
  };
  return { refuse: (text: string) => refuseUrl(text, allowLocal), lookup: lookupChecked };
}

const form = /^https?:\/\/[!-~]+$/i;

/** Returns the reason why this text is not accepted as a URL, or undefined if it is accepted. */
function refuseUrl(text: string, allowLocal: boolean): string | undefined {
  if (!form.test(text) || !URL.canParse(text)) return 'must be an address that starts with https://.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !allowLocal) return 'must start with https://.';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password.';
  if (url.hash !== '') return 'must not have a fragment.';
  // `URL` has normalised the spelling of an IP address. Host names are checked when they are resolved.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(host) !== 0 || isIPv6(host);
  if (isLiteral && !allowLocal && !isPublicAddress(host)) return 'must have a public address.';
  return undefined;
}
