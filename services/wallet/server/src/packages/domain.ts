// Parses entries of domain and address lists into their normal form.
import { isIPv4, isIPv6 } from 'node:net';

export const maxEntries = 100;

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** A host, or `*.` and a domain of at least two labels; undefined for anything else. */
export function parseDomain(text: string): string | undefined {
  const trimmed = text.trim();
  const isWildcard = trimmed.startsWith('*.');
  const host = parseHostName(isWildcard ? trimmed.slice(2) : trimmed);
  if (host === undefined) return undefined;
  if (!isWildcard) return host;
  return isIPv4(host) || !host.includes('.') ? undefined : `*.${host}`;
}

/** The form that a browser sends in Origin: lower case, international names as ASCII. */
function parseHostName(text: string): string | undefined {
  if (text === '' || /[\s/?#@:\\%[\]]/.test(text)) return undefined;
  const asUrl = `http://${text}/`;
  if (!URL.canParse(asUrl)) return undefined;
  const host = new URL(asUrl).hostname;
  if (isIPv4(host)) return host === text ? host : undefined;
  const isSound = host.length <= 253 && host.split('.').every((part) => label.test(part));
  return isSound ? host : undefined;
}

/** An IP address or a range in CIDR form; undefined for anything else. */
export function parseAddress(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.trim().toLowerCase().split('/');
  if (rest.length > 0 || address.includes('%')) return undefined;
  const plain = bits === undefined ? address.replace(/^::ffff:(?=\d+\.)/, '') : address;
  const width = isIPv4(plain) ? 32 : isIPv6(plain) ? 128 : undefined;
  if (width === undefined) return undefined;
  if (bits === undefined) return plain;
  // A range of IPv4-mapped addresses is refused. It would match no caller, because the IPv4 addresses of
  // callers are compared in their plain form.
  if (plain.startsWith('::ffff:') || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  return Number(bits) <= width ? `${plain}/${bits}` : undefined;
}
