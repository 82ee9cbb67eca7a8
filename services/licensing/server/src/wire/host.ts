// Normalises the spelling of a host, and decides whether the host occupies a seat. Local, private and staging
// hosts occupy no seat.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

const maxGivenLength = 2048;
const maxHostLength = 253;
const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const nameForm = new RegExp(`^${label}(?:\\.${label})*$`);

/** Returns `shop.example` for `https://www.Shop.Example:8443/a?b`, and undefined if the text is no host. */
export function normaliseHost(given: string): string | undefined {
  const text = given.trim();
  if (text === '' || text.length > maxGivenLength) return undefined;
  // Browsers read `\` as `/`, so a `\` ends the host here too. Otherwise `site-1.example\@shop.example` would
  // count as `shop.example`, and many sites could share one seat.
  const [authority = ''] = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}/i, '').split(/[/?#\\]/);
  const withoutUser = authority.slice(authority.lastIndexOf('@') + 1);
  const inBrackets = /^\[([^\]]*)\](?::\d{0,5})?$/.exec(withoutUser)?.[1];
  if (inBrackets !== undefined) return normaliseIpv6(inBrackets);
  if (isIPv6(withoutUser)) return normaliseIpv6(withoutUser);
  return normaliseName(withoutUser.replace(/:\d{0,5}$/, ''));
}

function normaliseIpv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const host = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!mapped) return host;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Texts that a program sends by mistake if it does not know its host. */
const missing = ['null', 'undefined'];

/** Normalises letter case, non-ASCII letters and spellings of IP addresses in the way browsers do. */
function normaliseName(text: string): string | undefined {
  if (/[%:@[\]\s]/.test(text)) return undefined;
  const name = domainToASCII(text).replace(/\.$/, '');
  const host = name.replace(/^www\.(?=[^.]+\.)/, '');
  if (missing.includes(host)) return undefined;
  return host.length <= maxHostLength && nameForm.test(host) ? host : undefined;
}

const privateAddresses = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv4');
privateAddresses.addSubnet('::', 127, 'ipv6');
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

/**
 * Hosts with these endings need no seat: they are not on the internet, or belong to a tunnel or a development
 * tool.
 */
export const freeEndings = [
  'localhost',
  'local',
  'localdomain',
  'test',
  'invalid',
  'internal',
  'intranet',
  'lan',
  'home.arpa',
  'ddev.site',
  'lndo.site',
  'ngrok.io',
  'ngrok.app',
  'ngrok.dev',
  'ngrok-free.app',
  'ngrok-free.dev',
  'loca.lt',
  'trycloudflare.com',
  'serveo.net',
  'lhr.life',
] as const;

/**
 * The first label of a staging host is one of these words, optionally with a number. A staging host such as
 * `staging2.shop.example` needs no seat. At least two labels must follow the first label. If the host ends
 * in a registry suffix such as `co.uk`, one more label must be between the first label and the suffix.
 */
export const stagingParts = [
  'dev',
  'development',
  'local',
  'preview',
  'qa',
  'sandbox',
  'stage',
  'staging',
  'stg',
  'test',
  'testing',
  'uat',
] as const;

const twoPartEnding = '(?:ac|co|com|edu|gov|net|or|org)\\.[a-z]{2}$';
const staging = new RegExp(`^(?:${stagingParts.join('|')})-?\\d{0,3}\\.(?!${twoPartEnding})[^.]+\\..`);

/** Whether a host occupies no seat. The host must be normalised. */
export function isFreeHost(host: string): boolean {
  const version = isIP(host);
  if (version !== 0) return privateAddresses.check(host, version === 6 ? 'ipv6' : 'ipv4');
  if (!host.includes('.')) return true;
  return freeEndings.some((ending) => host.endsWith(`.${ending}`)) || staging.test(host);
}
