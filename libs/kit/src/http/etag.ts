// Whether the caller has an answer already (RFC 9110, If-None-Match).

/** A proxy on the way may have weakened the tag; the comparison is the weak one by design. */
export function isKnownEtag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  return given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
