// Request headers that need more than a look-up: Host and If-None-Match.

/** Counts Host headers, because Node silently uses the first. `rawHeaders` alternates names and values. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/**
 * Whether the caller already has the answer with this tag (RFC 9110, If-None-Match). The comparison is
 * the weak one, because a proxy may have weakened the tag.
 */
export function isKnownEtag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  return given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
