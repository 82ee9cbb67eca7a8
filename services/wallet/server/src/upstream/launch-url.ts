// Which addresses a provider may send a player to.

const maxLength = 2048;

/** An http(s) address on one of the hosts, in its normal form; undefined for anything else. */
export function parseLaunchUrl(given: unknown, hosts: ReadonlySet<string>): string | undefined {
  if (typeof given !== 'string' || given.length > maxLength) return undefined;
  if (!/^https?:\/\/[!-~]+$/i.test(given) || given.includes('\\')) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.username !== '' || url.password !== '') return undefined;
  return hosts.has(url.hostname) || hosts.has(url.host) ? url.href : undefined;
}
