// Request headers that need special handling: Host, If-None-Match and Accept-Language.

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
 * Whether the client already has the answer with this ETag (RFC 9110, If-None-Match). The prefix `W/` is
 * ignored, because a proxy may have added it.
 */
export function isKnownEtag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  if (given.trim() === '*') return true;
  return given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The languages in which the services write to people. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/**
 * Returns the first supported language in an Accept-Language header, or undefined if the header names none.
 * In requests of the panel, this is the language that the person chose.
 */
export function readLanguage(header: string | undefined): Language | undefined {
  const tags = (header ?? '').slice(0, 200).split(',');
  const wanted = tags.map((tag) => tag.trim().toLowerCase().split(/[-;]/)[0]);
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0];
}
