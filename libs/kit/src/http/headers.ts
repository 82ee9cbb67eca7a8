// Request headers that need special handling: Host and If-None-Match.

/**
 * Counts Host headers, because Node silently uses the first of several Host headers. `rawHeaders` contains
 * names and values in alternation.
 */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/**
 * Whether the client already has the answer with this tag (RFC 9110, If-None-Match). The comparison is the
 * weak comparison of the RFC, because a proxy may have marked the tag as weak.
 */
export function isKnownEtag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  return given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
